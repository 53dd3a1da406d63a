package embedded

// Compact writes the folder anew from what is stored: nothing that was deleted or
// overwritten is in its files afterwards. Writers wait for it, readers do not. In
// memory there is nothing to do.
func (s *Server) Compact() error {
	if s.folder == nil {
		return nil
	}
	return s.snapshot()
}
