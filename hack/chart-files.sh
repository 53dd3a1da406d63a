#!/usr/bin/env bash
# Copies what the chart shares with config/ into charts/hardgate/files. The chart reads them as
# files, not as templates: a CRD's descriptions hold {{ }} that Helm would expand.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

files=charts/hardgate/files
rm -rf "$files"
mkdir -p "$files/crds" "$files/users"
cp config/crd/bases/*.yaml "$files/crds"
cp config/rbac/role.yaml config/rbac/leader_election_role.yaml "$files"
cp config/rbac/users/*_role.yaml "$files/users"
