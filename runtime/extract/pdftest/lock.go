package pdftest

import (
	"crypto/md5"
	"crypto/rc4"
	"fmt"
)

// The standard security handler, revision 2: a 40 bit RC4 key.
const (
	keyBytes   = 5
	fileID     = "hardgate-pdftest"
	padding    = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	permission = -4
)

// lock is a file's encryption.
type lock struct {
	key         []byte
	owner, user []byte
}

func newLock(password string) *lock {
	if password == "" {
		return nil
	}
	secret := append([]byte(password), padding...)[:len(padding)]
	sum := md5.Sum(secret)
	l := &lock{owner: cipher(sum[:keyBytes], secret)}
	p := int32(permission)
	seed := append(append([]byte(nil), secret...), l.owner...)
	seed = append(seed, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
	sum = md5.Sum(append(seed, fileID...))
	l.key = sum[:keyBytes]
	l.user = cipher(l.key, []byte(padding))
	return l
}

func (l *lock) dictionary() string {
	if l == nil {
		return "<< >>"
	}
	return fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P %d >>", l.owner, l.user, permission)
}

// sealed encrypts the bytes of an object's string or stream.
func (w *writer) sealed(object int, data []byte) []byte {
	if w.key == nil {
		return data
	}
	sum := md5.Sum(append(append([]byte(nil), w.key...), byte(object), byte(object>>8), byte(object>>16), 0, 0))
	return cipher(sum[:keyBytes+5], data)
}

func cipher(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err) // only for a key of the wrong length
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}
