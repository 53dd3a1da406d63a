package generate
import ("testing";"fmt";"github.com/hardgate-dev/hardgate/runtime/generate/ask";"github.com/hardgate-dev/hardgate/runtime/generate/match";"github.com/hardgate-dev/hardgate/runtime/rag")
func TestDbg(t *testing.T){
 h:=rag.Hit{Rank:1,Chunk:rag.Chunk{Document:"INV_2026_0043_Oakhurst",Title:"Calder Flow Systems",Heading:"Tax Invoice",Passage:"p1.t2",Table:true,Header:[]string{"Sl","Description","HSN","Qty","Rate","Amount"},Pieces:1}}
 in:=rag.PromptContext{}
 for i,c:=range [][]string{{"1","Valve 40 mm","8481","4","84.50","338.00"},{"2","Valve 65","8481","2","131.00","262.00"},{"3","Gauge","9026","5","27.60","138.00"},{"","Taxable value","","","","738.00"},{"","CGST 9%","","","","66.42"},{"","Invoice total","","","","804.42"}} {
  h.Units=append(h.Units,rag.Unit{Name:fmt.Sprint("p1.t2.r",i+1),Kind:rag.RowUnit,Cells:c,Order:i}); in.Handles=append(in.Handles,rag.Handle{Hit:0,Unit:i}) }
 in.Hits=[]rag.Hit{h}
 for _,s:=range []string{"How many lines are on INV/2026/0043?","How many line items are on INV/2026/0043?"} {
 q:=ask.Parse(s); d:=newDesk(in,nil)
 for i:=range d.tables{ tt:=&d.tables[i]; r:=match.Read(q,tt,d.context(*tt)); f,m:=operate(r); fmt.Printf("%+v\n rest=%v cols=%v where=%v clash=%q rows=%v of=%v fit=%d f=%v m=%v key=%d name=%d\n",q.Roles,r.Rest,r.Columns,r.Where,r.Clash,r.Rows,r.Of,r.Fit,f,m,tt.Key,tt.Name)}
 }}
