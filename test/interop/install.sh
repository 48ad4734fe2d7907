#!/usr/bin/env bash
# Installs the tools of the tests in this folder. The argument is the folder for the packages of Python and npm.
set -euo pipefail
folder=$(realpath -m "$1")
cd "$(dirname "$0")"

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --require-hashes -r python/requirements.txt

mkdir -p "$folder/spectral"
cp spectral/package.json spectral/package-lock.json "$folder/spectral"
# One package has an install script that reports the installation to its authors.
npm ci --ignore-scripts --prefix "$folder/spectral"

(cd go && go mod download)
(cd java && mvn -q -B dependency:copy-dependencies)
(cd openapi-generator && mvn -q -B dependency:copy-dependencies)
# The manifest of the generated client says which crates it needs.
bash openapi-generator/generate.sh rust rust/usp
(cd rust && cargo build --quiet --locked)
