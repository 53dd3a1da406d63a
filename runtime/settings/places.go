package settings

import "path/filepath"

// ModelDir is the folder of the built-in encoder's weights, tokenizer and ONNX
// Runtime: $HARDGATE_MODEL_DIR, else where `make setup` puts them, in the user's
// cache. env reads a variable of the environment.
func ModelDir(env func(string) string) string {
	return FirstNonBlank(env("HARDGATE_MODEL_DIR"), filepath.Join(cacheDir(env), MiniLM))
}

// EngineDir is the folder in the user's cache that keeps the compiled PDF engine.
// env reads a variable of the environment.
func EngineDir(env func(string) string) string {
	return filepath.Join(cacheDir(env), "pdf-engine")
}

func cacheDir(env func(string) string) string {
	return filepath.Join(FirstNonBlank(env("XDG_CACHE_HOME"), filepath.Join(FirstNonBlank(env("HOME")), ".cache")), "hardgate")
}
