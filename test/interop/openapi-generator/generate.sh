#!/usr/bin/env bash
# Generates a client with openapi-generator. The arguments are the language, which is a folder beside this one, and the
# folder for the client. The generator leaves equal files as they are, so that cargo does not compile them again.
set -euo pipefail
client=$(realpath -m "$2")
cd "$(dirname "$0")"
exec java -Dlog.level=error -cp 'target/dependency/*' org.openapitools.codegen.OpenAPIGenerator generate \
  --config "../$1/openapi-generator.yaml" --input-spec ../../../openapi/usp-rest.json --output "$client" \
  --minimal-update
