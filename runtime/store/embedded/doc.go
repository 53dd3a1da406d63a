// Package embedded is a vector store inside this process: a gRPC server for the
// part of Qdrant's API that the project uses, with Qdrant's semantics and error
// texts, held to recordings of a real server (package storetest).
//
// Requests enter over gRPC, from this process (Dial) or from a listener (Serve);
// answers leave the same way. Search is exact: dense vectors are compared one by
// one, sparse ones through inverted lists, and only the points that a filter
// admits are looked at. With a folder, everything acknowledged is on disk first,
// and a folder that is foreign or damaged is refused with a FolderError.
//
// A collection's settings of graph, optimizer, write-ahead log, quantization and
// storage are kept and told, as are strict mode's limits on bytes and rates; nothing
// here depends on them. One process has the folder, so shards and replicas are
// numbers that are told, too.
//
// It refuses, with codes.Unimplemented and a message that says so, what the
// project does not need: multivectors, inference, recommendation, discovery,
// formulas, snapshots, shard keys.
package embedded

// Outgrown is how many points a collection may have before it should move to a
// server of its own: exact search takes time in proportion to them.
const Outgrown = 250_000
