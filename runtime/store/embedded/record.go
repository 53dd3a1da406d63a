package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"google.golang.org/protobuf/proto"
)

// A record is one change as it is logged: what was done, with ids in the place of
// filters and only to points that exist, so that replaying it depends on nothing
// but the records before it.
//
// On disk it is framed as: magic (4 bytes), length of the body (4), CRC-32C of
// synced and body (4), synced (8), body; little-endian. The body is the kind (1),
// the length of the collection's name (2), the name, and a protobuf message.
// synced tells how much of this file was certainly on disk when the record was
// written: damage before that point has hit something acknowledged, damage after
// the last such point is a torn tail.
const (
	recordMagic  = 0x31474c48 // "HLG1"
	recordHeader = 20

	// recordLimit bounds a body, so that a damaged length is not believed. gRPC takes
	// no request as large.
	recordLimit = 1<<31 - 1
)

type recordKind uint8

const (
	recordCreate        recordKind = iota + 1 // CollectionConfig
	recordConfig                              // CollectionConfig, the whole new one
	recordDrop                                // no message
	recordAlias                               // AliasDescription; an empty collection removes the alias
	recordUpsert                              // UpsertPoints
	recordDelete                              // PointsIdsList
	recordSetVectors                          // UpdatePointVectors
	recordDropVectors                         // DeletePointVectors
	recordSetPayload                          // SetPayloadPoints
	recordOverwrite                           // SetPayloadPoints
	recordDeletePayload                       // DeletePayloadPoints
	recordIndex                               // CreateFieldIndexCollection
	recordDropIndex                           // DeleteFieldIndexCollection
	recordEnd                                 // closes a snapshot; no message
)

// body encodes a record; a nil message is empty.
func body(kind recordKind, name string, message proto.Message) ([]byte, error) {
	out := make([]byte, recordHeader, recordHeader+3+len(name)+256)
	out = append(out, byte(kind))
	out = binary.LittleEndian.AppendUint16(out, uint16(len(name)))
	out = append(out, name...)
	if message == nil {
		return out, nil
	}
	out, err := proto.MarshalOptions{}.MarshalAppend(out, message)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return out, nil
}

// seal completes the header of an encoded record.
func seal(record []byte, synced int64) {
	binary.LittleEndian.PutUint32(record, recordMagic)
	binary.LittleEndian.PutUint32(record[4:], uint32(len(record)-recordHeader))
	binary.LittleEndian.PutUint64(record[12:], uint64(synced))
	binary.LittleEndian.PutUint32(record[8:], checksum(record))
}

// checksum covers everything after itself.
func checksum(record []byte) uint32 {
	return crc32.Checksum(record[12:], crc32.MakeTable(crc32.Castagnoli))
}

// record is a decoded body.
type record struct {
	kind    recordKind
	name    string
	message []byte
	synced  int64
}

// errBroken is a frame that is not whole.
var errBroken = errors.New("broken record")

// readRecord reads the next record and the bytes it took. io.EOF is the end
// between two records; errBroken is anything but a whole record.
func readRecord(r io.Reader) (record, int64, error) {
	var header [recordHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return record{}, 0, errBroken
		}
		return record{}, 0, err
	}
	length := binary.LittleEndian.Uint32(header[4:])
	if binary.LittleEndian.Uint32(header[:]) != recordMagic || length < 3 || length > recordLimit {
		return record{}, 0, errBroken
	}
	frame, err := readFrame(r, header[:], int(length))
	if err != nil {
		return record{}, 0, err
	}
	if checksum(frame) != binary.LittleEndian.Uint32(header[8:]) {
		return record{}, 0, errBroken
	}
	out := record{kind: recordKind(frame[recordHeader]), synced: int64(binary.LittleEndian.Uint64(header[12:]))}
	name := int(binary.LittleEndian.Uint16(frame[recordHeader+1:]))
	if 3+name > int(length) {
		return record{}, 0, errBroken
	}
	out.name = string(frame[recordHeader+3 : recordHeader+3+name])
	out.message = frame[recordHeader+3+name:]
	return out, int64(len(frame)), nil
}

// readFrame reads the body behind a header, a piece at a time: a damaged length
// must not ask for gigabytes.
func readFrame(r io.Reader, header []byte, length int) ([]byte, error) {
	const piece = 1 << 20
	frame := append(make([]byte, 0, recordHeader+min(length, piece)), header...)
	for want := length; want > 0; {
		n := min(want, piece)
		at := len(frame)
		frame = append(frame, make([]byte, n)...)
		if _, err := io.ReadFull(r, frame[at:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, errBroken
			}
			return nil, err
		}
		want -= n
	}
	return frame, nil
}
