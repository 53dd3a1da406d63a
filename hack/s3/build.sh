#!/usr/bin/env bash
# Builds versitygw, the S3 server of the tests and the demo, from its Go module and prints its folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
version=$(sed -n 's|^\tgithub.com/versity/versitygw \(v[0-9.]*\).*|\1|p' go.mod)
exec ../gomodule.sh s3 "$PWD" "-X main.Version=$version" versitygw=github.com/versity/versitygw/cmd/versitygw
