package embedded

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"sync/atomic"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
)

// Options of a store.
type Options struct {
	// Dir is the data folder; it is made if need be. "" keeps everything in memory.
	Dir string
	// Replace sets a folder aside that is not a whole store, and begins an empty one:
	// for contents that can be made again.
	Replace bool
	// APIKey, if not "", is demanded of every request but health checks.
	APIKey string
	// ReadOnlyAPIKey, if not "", is a second key, for requests that change nothing.
	ReadOnlyAPIKey string
	// MaxLog is how many bytes of log may gather before a snapshot replaces them;
	// 0 = 64 MiB. A log is also let grow as large as the last snapshot, so that what
	// is written stays proportional to what is stored.
	MaxLog int64
	// Warn, if not nil, is told what goes wrong in the background: a snapshot that
	// could not be written. The log then goes on growing, and nothing is lost.
	Warn func(error)
}

// Server is an open store. It is safe for concurrent use.
type Server struct {
	grpc       *grpc.Server
	options    Options
	pipe       *bufconn.Listener
	background sync.WaitGroup // the pipe, and snapshots
	folder     *folder        // nil: in memory
	aside      *Aside         // what was in the folder's place; nil: nothing

	// writing is held shared by every change and alone while a snapshot is taken.
	writing  sync.RWMutex
	snapping atomic.Bool // a snapshot is due or being taken

	mu          sync.RWMutex // over the two maps
	collections map[string]*collection
	aliases     map[string]string // alias → collection
}

// Open opens the store in a folder, or an empty one in memory. What was acknowledged
// before a crash is there again. A FolderError says why a folder is refused.
func Open(options Options) (*Server, error) {
	s := &Server{options: options}
	s.forget()
	if options.Dir != "" {
		if err := s.openOrReplace(); err != nil {
			return nil, err
		}
	}
	s.grpc = grpc.NewServer(
		grpc.MaxRecvMsgSize(math.MaxInt32), // like Qdrant, which takes requests of any size
		grpc.MaxSendMsgSize(math.MaxInt32),
		grpc.UnaryInterceptor(s.authorize),
	)
	qdrant.RegisterQdrantServer(s.grpc, &health{})
	qdrant.RegisterCollectionsServer(s.grpc, &collectionsService{server: s})
	qdrant.RegisterPointsServer(s.grpc, &pointsService{server: s})
	s.pipe = bufconn.Listen(1 << 20)
	s.background.Add(1)
	go func() {
		defer s.background.Done()
		_ = s.grpc.Serve(s.pipe) // ends when Close stops the server
	}()
	return s, nil
}

// forget empties a server that serves nobody yet.
func (s *Server) forget() {
	s.collections, s.aliases = map[string]*collection{}, map[string]string{}
}

// Serve answers requests from a listener until Close; then it returns nil.
func (s *Server) Serve(listener net.Listener) error {
	if err := s.grpc.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve store on %s: %w", listener.Addr(), err)
	}
	return nil
}

// Dial connects to the server from within the process. The connection sends the
// store's own API key.
func (s *Server) Dial() (*grpc.ClientConn, error) {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return s.pipe.DialContext(ctx) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
	}
	if s.options.APIKey != "" {
		options = append(options, grpc.WithPerRPCCredentials(ownKey(s.options.APIKey)))
	}
	conn, err := grpc.NewClient("passthrough:///embedded", options...)
	if err != nil {
		return nil, fmt.Errorf("dial embedded store: %w", err)
	}
	return conn, nil
}

// Close answers what was begun, stops, and lets go of the folder. Everything
// acknowledged is on disk already.
func (s *Server) Close() error {
	s.grpc.GracefulStop()
	s.background.Wait()
	if s.folder == nil {
		return nil
	}
	return s.folder.close()
}

// health tells that the server is there.
type health struct {
	qdrant.UnimplementedQdrantServer
}

func (*health) HealthCheck(context.Context, *qdrant.HealthCheckRequest) (*qdrant.HealthCheckReply, error) {
	return &qdrant.HealthCheckReply{Title: "qdrant - vector search engine", Version: apiVersion}, nil
}

// apiVersion is the Qdrant release whose behaviour this server is held to.
const apiVersion = "1.18.3"
