package embedded

import (
	"fmt"
	"os"
)

// Compact writes the folder anew from what is stored: nothing that was deleted or
// overwritten is in its files afterwards. A damaged store that was set aside goes.
// Writers wait for it, readers do not. In memory there is nothing to do.
func (s *Server) Compact() error {
	if s.folder == nil {
		return nil
	}
	if err := os.RemoveAll(damagedName(s.options.Dir)); err != nil {
		return fmt.Errorf("remove the damaged store that was set aside: %w", err)
	}
	return s.snapshot()
}
