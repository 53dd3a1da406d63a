package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
)

// icdar is a file of ICDAR-2013's structure ground truth.
type icdar struct {
	Tables []struct {
		Regions []struct {
			Cells []struct {
				StartRow int    `xml:"start-row,attr"`
				EndRow   *int   `xml:"end-row,attr"`
				StartCol int    `xml:"start-col,attr"`
				EndCol   *int   `xml:"end-col,attr"`
				Content  string `xml:"content"`
			} `xml:"cell"`
		} `xml:"region"`
	} `xml:"table"`
}

// icdarTables reads the cells of each region: what stands on one page.
func icdarTables(path string) ([][]cell, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d icdar
	if err := xml.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("ground truth %s: %w", path, err)
	}
	var out [][]cell
	for _, t := range d.Tables {
		for _, r := range t.Regions {
			var cells []cell
			for _, c := range r.Cells {
				n := cell{text: c.Content, r0: c.StartRow, r1: c.StartRow, c0: c.StartCol, c1: c.StartCol}
				if c.EndRow != nil {
					n.r1 = max(*c.EndRow, n.r0)
				}
				if c.EndCol != nil {
					n.c1 = max(*c.EndCol, n.c0)
				}
				cells = append(cells, n)
			}
			out = append(out, cells)
		}
	}
	return out, nil
}

// docling is a document of docling's ground truth.
type docling struct {
	Tables []struct {
		Data struct {
			Cells []struct {
				Text string `json:"text"`
				R0   int    `json:"start_row_offset_idx"`
				R1   int    `json:"end_row_offset_idx"`
				C0   int    `json:"start_col_offset_idx"`
				C1   int    `json:"end_col_offset_idx"`
			} `json:"table_cells"`
		} `json:"data"`
	} `json:"tables"`
}

func doclingTables(path string) ([][]cell, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d docling
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("ground truth %s: %w", path, err)
	}
	var out [][]cell
	for _, t := range d.Tables {
		var cells []cell
		for _, c := range t.Data.Cells {
			cells = append(cells, cell{text: c.Text, r0: c.R0, r1: c.R1 - 1, c0: c.C0, c1: c.C1 - 1})
		}
		out = append(out, cells)
	}
	return out, nil
}

// generatedRows reads the rows beside a generated file.
func generatedRows(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("rows %s: %w", path, err)
	}
	return rows, nil
}
