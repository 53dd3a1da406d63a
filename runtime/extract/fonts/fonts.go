// Package fonts holds the one font that the PDF engine may see.
//
// Text in fonts that a file does not embed needs some font for its metrics;
// without any, vertical Chinese, Japanese and Korean text would be dropped
// without a word. Droid Sans Fallback is by Google, under the Apache License 2.0
// (LICENSE beside this file), as packaged by Debian in fonts-droid-fallback.
package fonts

import (
	"embed"
	"io/fs"
)

//go:embed usr/share/fonts/DroidSansFallbackFull.ttf
var files embed.FS

// FS returns a file system with the font where the engine looks for fonts.
func FS() fs.FS { return files }
