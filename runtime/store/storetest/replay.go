package storetest

import (
	"context"
	"fmt"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Verdict is what became of a case.
type Verdict struct {
	Difference string // "" = as recorded
	Unserved   bool   // the server said Unimplemented where the recording has another answer
}

// Empty removes everything from a server, so that a case starts from nothing.
// Collections' snapshots outlive them and go first; a server without snapshots has
// none to remove.
func Empty(ctx context.Context, conn grpc.ClientConnInterface) error {
	collections := qdrant.NewCollectionsClient(conn)
	list, err := collections.List(ctx, &qdrant.ListCollectionsRequest{})
	if err != nil {
		return fmt.Errorf("list collections: %w", err)
	}
	for _, c := range list.GetCollections() {
		if err := dropSnapshots(ctx, conn, c.GetName()); err != nil {
			return err
		}
		if _, err := collections.Delete(ctx, &qdrant.DeleteCollection{CollectionName: c.GetName()}); err != nil {
			return fmt.Errorf("delete collection %q: %w", c.GetName(), err)
		}
	}
	return nil
}

func dropSnapshots(ctx context.Context, conn grpc.ClientConnInterface, collection string) error {
	client := qdrant.NewSnapshotsClient(conn)
	list, err := client.List(ctx, &qdrant.ListSnapshotsRequest{CollectionName: collection})
	if status.Code(err) == codes.Unimplemented {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list snapshots of %q: %w", collection, err)
	}
	for _, s := range list.GetSnapshotDescriptions() {
		_, err := client.Delete(ctx, &qdrant.DeleteSnapshotRequest{CollectionName: collection, SnapshotName: s.GetName()})
		if err != nil {
			return fmt.Errorf("delete snapshot %q: %w", s.GetName(), err)
		}
	}
	return nil
}

// Replay runs one case on an empty server.
func Replay(ctx context.Context, conn grpc.ClientConnInterface, file *File, c *Case) (Verdict, error) {
	for i, call := range file.Before(c) {
		_, got, err := invoke(ctx, conn, call)
		if err != nil {
			return Verdict{}, err
		}
		if d := failureDifference(call.Error, got); d != "" {
			at := fmt.Sprintf("setup call %d (%s): %s", i, call.RPC, d)
			return Verdict{Difference: at, Unserved: got.Code() == codes.Unimplemented}, nil
		}
	}
	answer, got, err := invoke(ctx, conn, c.Request)
	if err != nil {
		return Verdict{}, err
	}
	if d := failureDifference(c.Error, got); d != "" || c.Error != nil {
		return Verdict{Difference: d, Unserved: d != "" && got.Code() == codes.Unimplemented}, nil
	}
	return compareAnswers(c, answer)
}

// compareAnswers compares with the recorded answer, or with its alternative.
func compareAnswers(c *Case, answer proto.Message) (Verdict, error) {
	var first string
	for _, recorded := range [][]byte{c.Response, c.Alternative} {
		if recorded == nil {
			continue
		}
		want := answer.ProtoReflect().New().Interface()
		if err := protojson.Unmarshal(recorded, want); err != nil {
			return Verdict{}, fmt.Errorf("recorded answer: %w", err)
		}
		got := proto.Clone(answer)
		for _, m := range []proto.Message{want, got} {
			recordedRules().normalize(m.ProtoReflect())
			settle(m.ProtoReflect(), c.Order)
		}
		d := difference("", want.ProtoReflect(), got.ProtoReflect())
		if d == "" {
			return Verdict{}, nil
		}
		if first == "" {
			first = fmt.Sprintf("%s\nwant %s\ngot  %s", d, spelled(want), spelled(got))
		}
	}
	return Verdict{Difference: first}, nil
}

// failureDifference compares a call's status with the one recorded; nil is success.
func failureDifference(want *Error, got *status.Status) string {
	switch {
	case want == nil && got.Code() == codes.OK:
		return ""
	case want == nil:
		return fmt.Sprintf("failed with %s %q", got.Code(), got.Message())
	case got.Code() == codes.OK:
		return fmt.Sprintf("succeeded, want %s %q", want.Code, want.Message)
	case want.Code != got.Code().String() || want.Message != got.Message():
		return fmt.Sprintf("want %s %q\ngot  %s %q", want.Code, want.Message, got.Code(), got.Message())
	}
	return ""
}

// invoke makes a call. The error is one of the recording; the server's is the status.
func invoke(ctx context.Context, conn grpc.ClientConnInterface, call Call) (proto.Message, *status.Status, error) {
	in, out, err := messagesOf(call.RPC)
	if err != nil {
		return nil, nil, err
	}
	if err := protojson.Unmarshal(call.Body, in); err != nil {
		return nil, nil, fmt.Errorf("body of %s: %w", call.RPC, err)
	}
	for k, v := range call.Metadata {
		ctx = metadata.AppendToOutgoingContext(ctx, k, v)
	}
	return out, status.Convert(conn.Invoke(ctx, "/"+call.RPC, in, out)), nil
}

// messagesOf makes the input and output of "package.Service/Method".
func messagesOf(rpc string) (in, out proto.Message, err error) {
	service, method, ok := strings.Cut(rpc, "/")
	if !ok {
		return nil, nil, fmt.Errorf("rpc %q is not package.Service/Method", rpc)
	}
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil, nil, fmt.Errorf("rpc %q: %w", rpc, err)
	}
	sd, ok := d.(protoreflect.ServiceDescriptor)
	if !ok || sd.Methods().ByName(protoreflect.Name(method)) == nil {
		return nil, nil, fmt.Errorf("rpc %q: no such method", rpc)
	}
	md := sd.Methods().ByName(protoreflect.Name(method))
	var made [2]proto.Message
	for i, name := range []protoreflect.FullName{md.Input().FullName(), md.Output().FullName()} {
		t, err := protoregistry.GlobalTypes.FindMessageByName(name)
		if err != nil {
			return nil, nil, fmt.Errorf("rpc %q: %w", rpc, err)
		}
		made[i] = t.New().Interface()
	}
	return made[0], made[1], nil
}
