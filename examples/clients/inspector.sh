#!/bin/sh
# Books with the command line of the MCP Inspector. The client needs only the address of the server:
#
#   sh inspector.sh http://127.0.0.1:8080/mcp            prints a link to a page; the person books there
#   sh inspector.sh http://127.0.0.1:8080/mcp --sign-in  the person signs in first, then the client books
set -eu
url=${1:-http://127.0.0.1:8080/mcp}
# The Inspector stores the sign-in in a file, so that the next command can use it.
export MCP_INSPECTOR_SECRET_STORE=file
stored=

call() {
  npx mcp-inspector --cli --server-url "$url" --transport http $stored --quiet --method tools/call --tool-name "$1" --tool-args-json "$2"
}
said() { printf '%s' "$answer"; }
pick() { node -p "JSON.parse(fs.readFileSync(0, 'utf8')).structuredContent.$1"; }

person=
if [ "${2:-}" = --sign-in ]; then
  call my_bookings '{}' >&2
  stored=--use-stored-auth
  person=', "person": { "first_name": "Rosa", "last_name": "Díaz" }'
fi
service=$(call find_services '{ "query": "haircut" }' | pick 'services[0].service_id')
slot=$(call find_times "{ \"service_ids\": [\"$service\"] }" | pick 'times[0].slots[0].slot_id')
answer=$(call book "{ \"slot_id\": \"$slot\"$person }")
if [ "$(said | pick state)" != booked ]; then
  echo "Open $(said | pick link)"
  code=$(said | pick status_code)
  state=
  while [ "$state" != booked ]; do
    [ "$state" != lapsed ] || exit 1
    answer=$(call booking_status "{ \"status_code\": \"$code\" }")
    state=$(said | pick state)
  done
fi
echo "Booked: $(said | pick reference)"
