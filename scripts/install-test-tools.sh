#!/usr/bin/env bash
# What some tests need beyond npm, from Debian's packages. Without it those tests say that they were skipped, and why.
set -euo pipefail
missing=()
for tool in zsh fish shellcheck; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then missing+=(postgresql); fi
command -v fail2ban-regex >/dev/null || missing+=(fail2ban)
[ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
[ -x /usr/sbin/nginx ] || missing+=(nginx-light)
[ -x /usr/bin/caddy ] || missing+=(caddy)
if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then missing+=(chromium); fi
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "not installed: ${missing[*]} (needs Debian's apt-get and root)" >&2
  exit 1
fi
apt-get update -qq
# The tests start a server of their own: Debian's need not make one.
if [[ " ${missing[*]} " == *" postgresql "* ]]; then
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi
# Nor do its services start; RUNLEVEL says that to its scripts.
RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
