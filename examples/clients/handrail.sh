#!/bin/sh
# A whole client of Handrail in curl and jq (docs/protocol.md): runs a command only after people, or the policy, approved it.
#   HANDRAIL_URL=… HANDRAIL_TOKEN=… handrail.sh KEY COMMAND [ARGUMENT…]
# KEY re-attaches: after a crash, the same key and command find the same question.
set -eu
key=$1
shift
url=${HANDRAIL_URL:-http://127.0.0.1:8400}
body=$(mktemp)
trap 'rm -f "$body"' EXIT

# send METHOD PATH [JSON]: prints the status and leaves the answer in $body; 429, 5xx and no answer are tried again
send() {
  while :; do
    status=$(curl --silent --max-time 60 --output "$body" --write-out '%{http_code}' --request "$1" "$url$2" \
      --header "Authorization: Bearer $HANDRAIL_TOKEN" --header 'Content-Type: application/json' \
      --header "Idempotency-Key: $key" ${3+--data-binary "$3"}) || status=000
    case $status in 000 | 429 | 5??) sleep 2 ;; *) return 0 ;; esac
  done
}

field() { jq --raw-output "$1" "$body"; }

action=$(jq -cn '{name: "shell", args: {argv: $ARGS.positional}, target: null}' --args -- "$@")
question=$(jq -cn --arg title "Run $*" --argjson action "$action" '{kind: "approval", title: $title, action: $action}')
send POST /api/holds "$question"
[ "$status" = 201 ] || { echo "not opened: $(field .detail)" >&2; exit 1; }
hold=$(field .id)
while :; do
  while [ "$(field .status)" = pending ]; do send GET "/api/holds/$hold/wait?timeout=30"; done
  [ "$(field .status)" = approved ] || { echo "$(field .status): $(field '.decision.reason // "no reason"')" >&2; exit 1; }
  # what people made of it; the digest is computed here, over what is about to run
  action=$(field '.action | @json')
  digest=$(printf '%s' "$question" | jq -cSj --argjson action "$action" \
    '. + {version: 1, action: $action, items: [], schema: null, evidence: null}' | sha256sum | cut -d ' ' -f 1)
  send POST "/api/holds/$hold/redeem" "$(jq -cn --arg digest "$digest" --arg key "$key-$$" '{digest: $digest, key: $key}')"
  [ "$status" = 200 ] && break
  case $(field .code) in
    not_approved | approval_void | stale_digest) send GET "/api/holds/$hold" ;;
    *) echo "not run: $(field .detail)" >&2; exit 1 ;;
  esac
done
eval "set -- $(printf '%s' "$action" | jq --raw-output '.args.argv | @sh')"
ended=0
"$@" || ended=$?
outcome=succeeded
[ "$ended" = 0 ] || outcome=failed
send POST "/api/holds/$hold/result" "{\"outcome\": \"$outcome\"}"
exit "$ended"
