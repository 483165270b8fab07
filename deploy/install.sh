#!/usr/bin/env bash
# Installs ltm as a server on a machine with systemd: a user, a hardened unit, a proxy with TLS, a jail for addresses that try tokens, a backup every night.
# Run again it upgrades: a backup first, and back to the release before if the new one does not answer.
#   sudo deploy/install.sh --domain memory.example.org
#   sudo deploy/install.sh --dry-run --domain memory.example.org
#   sudo deploy/install.sh --rollback
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=ltm domain='' proxy=caddy memory=512M port=8000 backups=/var/backups/ltm keep_days=14 jail=true cert='' key=''
root='' dry_run=false rollback=false workspaces=false

usage() {
  cat <<'END'
Usage: install.sh [OPTIONS]

  --domain NAME      The name that people use. Needed for a proxy.
  --proxy WHICH      caddy (default; fetches its certificate by itself), nginx (self-signed unless --cert), or none.
  --cert FILE --key FILE
                     The certificate for nginx and its key.
  --package WHAT     What npm installs: a name, or a packed file (ltm-0.1.0.tgz). Default: ltm
  --memory SIZE      The most memory the server gets. Default: 512M
  --port N           Where it listens, on this machine only. Default: 8000
  --backup-dir DIR   Default: /var/backups/ltm
  --keep-days N      How long backups are kept. Default: 14
  --workspaces       Also make MCP_TOKEN and SYNC_TOKEN (docs/workspaces.md).
  --no-jail          Leave fail2ban alone.
  --rollback         Go back to the release before this one, and to the backup that was made then.
  --dry-run          Show every step; change nothing.
  --root DIR         Write all files under DIR and start nothing: for images and for tests.

Run again, it takes what was said the first time for everything that is not said anew.
END
}

fail() { echo "install.sh: $1" >&2; exit "${2:-1}"; }
# What was said before, one NAME=VALUE in a line. --root decides where it stands.
for ((i = 1; i < $#; i++)); do if [ "${!i}" = --root ]; then next=$((i + 1)) root=${!next} root=${root%/}; fi; done
said=/etc/ltm/install.conf
remembered='domain proxy memory port backups keep_days jail cert key'
if [ -f "$root$said" ]; then
  while IFS='=' read -r name value; do
    case " $remembered " in *" $name "*) printf -v "$name" %s "$value" ;; esac
  done <"$root$said"
fi
set_port=$port
while [ $# -gt 0 ]; do
  case $1 in
    --domain | --proxy | --cert | --key | --package | --memory | --port | --backup-dir | --keep-days | --root)
      [ $# -gt 1 ] || fail "$1 needs a value; --help says which." 2
      ;;
  esac
  case $1 in
    --domain) domain=$2; shift ;;
    --proxy) proxy=$2; shift ;;
    --cert) cert=$2; shift ;;
    --key) key=$2; shift ;;
    --package) package=$2; shift ;;
    --memory) memory=$2; shift ;;
    --port) port=$2; shift ;;
    --backup-dir) backups=$2; shift ;;
    --keep-days) keep_days=$2; shift ;;
    --root) shift ;;
    --workspaces) workspaces=true ;;
    --no-jail) jail=false ;;
    --rollback) rollback=true ;;
    --dry-run) dry_run=true ;;
    -h | --help) usage; exit 0 ;;
    *) echo "install.sh does not know $1; --help lists what it knows." >&2; exit 2 ;;
  esac
  shift
done

case $proxy in caddy | nginx | none) ;; *) fail "--proxy is caddy, nginx or none, not $proxy." 2 ;; esac
[[ $port =~ ^[0-9]+$ && $keep_days =~ ^[0-9]+$ ]] || fail '--port and --keep-days are numbers.' 2
[[ $memory =~ ^[0-9]+[KMG]?$ ]] || fail '--memory is a size such as 512M.' 2
[ -z "$domain" ] || [[ $domain =~ ^[A-Za-z0-9.-]+$ ]] || fail '--domain is the name of a host.' 2
if [ "$proxy" != none ] && [ -z "$domain" ] && ! $rollback; then fail 'give --domain NAME, or --proxy none.' 2; fi
if [ -z "$root" ] && ! $dry_run; then
  [ "$(id -u)" -eq 0 ] || fail 'needs root. --dry-run shows what it would do.'
  [ -d /run/systemd/system ] || fail 'needs systemd. docs/deploy.md has other ways.'
fi
if [ -f "$root/etc/ltm/ltm.env" ] && [ "$port" != "$set_port" ]; then
  fail "the server listens on port $set_port. Change LTM_PORT in /etc/ltm/ltm.env and port in $said, then run install.sh again." 2
fi
command -v npm >/dev/null || fail 'needs Node and npm: https://nodejs.org'
# Before anything is changed; with --root the machine is another one.
if [ -z "$root" ] && ! $rollback; then
  command -v curl >/dev/null || fail 'needs curl.'
  if [ "$proxy" != none ] && ! command -v "$proxy" >/dev/null; then fail "needs $proxy (apt-get install $proxy), or --proxy none."; fi
  if $jail && ! command -v fail2ban-client >/dev/null; then fail 'needs fail2ban (apt-get install fail2ban), or --no-jail.'; fi
fi

releases=$root/opt/ltm/releases
current=$root/opt/ltm/current

say() { printf '%s\n' "$*"; }
# A step that changes something.
run() {
  if $dry_run; then say "would run: $*"; else "$@"; fi
}
# A step that only a running system has.
system() { [ -n "$root" ] || run "$@"; }
# A file whose text comes on stdin; left alone where it is the same.
put() { # PATH MODE
  local path=$root$1 text
  text=$(cat; printf x); text=${text%x}
  if [ -f "$path" ] && [ "$(cat "$path"; printf x)" = "${text}x" ]; then return; fi
  say "$(if [ -f "$path" ]; then echo changes; else echo writes; fi) $path"
  if $dry_run; then return; fi
  mkdir -p "$(dirname "$path")"
  if [ -f "$path" ]; then cp -p "$path" "$path.before"; fi
  (umask 077; printf '%s' "$text" >"$path.new")
  chmod "$2" "$path.new"
  mv "$path.new" "$path"
}
random_hex() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }
# The current release's program with the server's settings, as the server's user.
as_ltm() { system "$here/ltm-admin" "$@"; }
answers() {
  local tries
  for ((tries = 0; tries < 60; tries++)); do
    if curl -fsS -m 2 "http://127.0.0.1:$port/health" >/dev/null 2>&1; then return 0; fi
    sleep 0.5
  done
  return 1
}
point_to() { run ln -sfn "$1" "$current.new" && run mv -T "$current.new" "$current"; }
# Each release knows the one that ran before it, and the backup made then.
release_before() { cat "$current/before" 2>/dev/null || true; }

if $rollback; then
  before=$(release_before)
  if [ -z "$before" ] || [ ! -d "$root/opt/ltm/$before" ]; then fail 'there is no earlier release.'; fi
  say "goes back to $before"
  kept=$(cat "$current/backup" 2>/dev/null || true)
  system systemctl stop ltm
  point_to "$before"
  # An earlier release does not open the database of a later one.
  if [ -n "$kept" ]; then as_ltm backup restore "$kept" --yes; fi
  system systemctl start ltm
  if [ -z "$root" ] && ! $dry_run; then answers || fail 'the earlier release does not answer either; see journalctl -u ltm.'; fi
  exit 0
fi

# The user and its folders.
if [ -z "$root" ] && ! getent passwd ltm >/dev/null; then
  run useradd --system --home-dir /var/lib/ltm --shell /usr/sbin/nologin ltm
fi
run mkdir -p "$releases" "$root/var/lib/ltm" "$root$backups" "$root/etc/ltm"
run chmod 700 "$root/var/lib/ltm" "$root$backups" "$root/etc/ltm"
system chown ltm:ltm /var/lib/ltm "$backups"

# The program, beside the release that runs.
# Two within one second have names that differ, in the order in which they were made.
stamp=$(date -u +%Y%m%dT%H%M%S.%NZ)
release=$releases/$stamp
run mkdir -p "$release"
# A release that was not put to use leaves nothing behind.
in_use=false
drop_unused() { if ! $in_use && ! $dry_run; then rm -rf "$release"; fi; }
trap drop_unused EXIT
run npm install --silent --no-audit --no-fund --ignore-scripts --omit=dev --prefix "$release" "$package"
if ! $dry_run; then
  "$release/node_modules/.bin/ltm" version >/dev/null || fail 'the new release does not run; nothing else was changed.'
fi

# Settings: made once; afterwards only added to.
if [ ! -f "$root/etc/ltm/ltm.env" ]; then
  {
    say "LTM_DB=/var/lib/ltm/memory.db"
    say "LTM_HOST=127.0.0.1"
    say "LTM_PORT=$port"
    say "LTM_LOG_LEVEL=warn"
    say "LTM_BACKUP_DIR=$backups"
    say "LTM_BACKUP_KEEP_DAYS=$keep_days"
    if [ "$proxy" != none ]; then
      say "LTM_EXTERNAL_URL=https://$domain"
      say "LTM_ALLOWED_HOSTS=$domain"
      say "LTM_TRUSTED_PROXIES=127.0.0.1,::1"
    fi
  } | put /etc/ltm/ltm.env 600
fi
if $workspaces && ! grep -qs '^MCP_TOKEN=' "$root/etc/ltm/ltm.env"; then
  {
    cat "$root/etc/ltm/ltm.env" 2>/dev/null || true
    say "MCP_TOKEN=$(random_hex)"
    say "SYNC_TOKEN=$(random_hex)"
  } | put /etc/ltm/ltm.env 600
fi

for name in $remembered; do say "$name=${!name}"; done | put $said 600

# The units, with this machine's program and limits.
# An eighth below, in whole units one smaller: 896M of 1G.
case $memory in *G) high=$((${memory%G} * 896))M ;; *M) high=$((${memory%M} * 896))K ;; *) high=$((${memory%K} * 7 / 8))${memory##*[0-9]} ;; esac
sed -e "s|/usr/bin/env ltm|/opt/ltm/current/node_modules/.bin/ltm|" -e "s|^MemoryMax=.*|MemoryMax=$memory|" -e "s|^MemoryHigh=.*|MemoryHigh=$high|" \
  "$here/ltm.service" | put /etc/systemd/system/ltm.service 644
sed -e "s|/usr/bin/env ltm|/opt/ltm/current/node_modules/.bin/ltm|" "$here/ltm-backup.service" | put /etc/systemd/system/ltm-backup.service 644
put /etc/systemd/system/ltm-backup.timer 644 <"$here/ltm-backup.timer"

# The proxy.
case $proxy in
  caddy)
    {
      say "$domain {"
      printf '\treverse_proxy 127.0.0.1:%s {\n\t\tflush_interval -1\n\t}\n}\n' "$port"
    } | put /etc/caddy/ltm.caddy 644
    if ! grep -qs '^import /etc/caddy/ltm.caddy$' "$root/etc/caddy/Caddyfile"; then
      { cat "$root/etc/caddy/Caddyfile" 2>/dev/null || true; say 'import /etc/caddy/ltm.caddy'; } | put /etc/caddy/Caddyfile 644
    fi
    ;;
  nginx)
    if [ -z "$cert" ]; then
      cert=/etc/ssl/certs/ltm.pem key=/etc/ssl/private/ltm.key
      if [ ! -f "$root$cert" ]; then
        run mkdir -p "$root/etc/ssl/certs" "$root/etc/ssl/private"
        run openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=$domain" \
          -addext "subjectAltName=DNS:$domain" -keyout "$root$key" -out "$root$cert" 2>/dev/null
        run chmod 600 "$root$key"
      fi
    fi
    sed -e '/server 10\.0\.0\.12:/d' -e "s|server 10\.0\.0\.11:8000|server 127.0.0.1:$port|" -e "s|memory\.example\.org;|$domain;|" \
      -e "s|ssl_certificate  .*|ssl_certificate     $cert;|" -e "s|ssl_certificate_key .*|ssl_certificate_key $key;|" \
      "$here/nginx.conf" | put /etc/nginx/conf.d/ltm.conf 644
    system nginx -t
    ;;
esac

if $jail; then
  put /etc/fail2ban/filter.d/ltm.conf 644 <"$here/fail2ban/filter.conf"
  {
    cat "$here/fail2ban/jail.conf"
    # fail2ban's own choice is iptables.
    if ! command -v iptables >/dev/null && command -v nft >/dev/null; then say 'banaction = nftables-multiport'; fi
  } | put /etc/fail2ban/jail.d/ltm.conf 644
fi

put /usr/local/sbin/ltm-admin 755 <"$here/ltm-admin"

# From the old release to the new one, with a way back.
was=$(readlink "$current" 2>/dev/null || true)
if [ -n "$was" ]; then
  if ! $dry_run; then say "$was" >"$release/before"; fi
  if [ -e "$root/var/lib/ltm/memory.db" ]; then
    as_ltm backup create --to "$backups" --quiet
    if [ -z "$root" ] && ! $dry_run; then
      printf '%s\n' "$backups"/ltm-*.db.* | grep -v '\.json$' | sort | tail -n 1 >"$release/backup"
    fi
  fi
fi
system systemctl daemon-reload
system systemctl stop ltm
in_use=true
point_to "releases/$stamp"
if [ -z "$was" ] && [ ! -e "$root/etc/ltm/owner-token" ]; then
  if [ -n "$root" ] || $dry_run; then
    as_ltm server init
  else
    told=$(mktemp)
    token=$(as_ltm server init 2>"$told") || fail "no token could be made: $(cat "$told")"
    rm -f "$told"
    say "$token" | put /etc/ltm/owner-token 600
  fi
fi
system systemctl enable --now ltm.service ltm-backup.timer
if [ -z "$root" ] && ! $dry_run && ! answers; then
  say 'The new release does not answer.'
  [ -n "$was" ] || fail 'see journalctl -u ltm.'
  "$0" --rollback
  in_use=false
  fail "went back to $was; see journalctl -u ltm."
fi
case $proxy in
  caddy) system systemctl reload-or-restart caddy ;;
  nginx) system systemctl reload-or-restart nginx ;;
esac
if $jail; then
  system systemctl reload-or-restart fail2ban
  if [ -z "$root" ] && ! $dry_run; then
    for _ in 1 2 3 4 5 6; do if fail2ban-client status ltm >/dev/null 2>&1; then break; fi; sleep 0.5; done
    fail2ban-client status ltm >/dev/null 2>&1 ||
      say 'Warning: fail2ban does not run, so nobody is shut out; see journalctl -u fail2ban. On Debian 12 its jail for sshd often lacks a log: "backend = systemd" below [sshd] in /etc/fail2ban/jail.local, and the package python3-systemd, mend that.'
  fi
fi

# Three releases are enough.
if ! $dry_run; then
  printf '%s\n' "$releases"/*/ | sort -r | tail -n +4 | while read -r old; do
    if [ "$(basename "$old")" != "$(basename "$(readlink "$current")")" ]; then rm -rf "$old"; fi
  done
fi

if $dry_run; then
  say 'Nothing was changed.'
  exit 0
fi
where=http://127.0.0.1:$port
if [ "$proxy" != none ]; then where=https://$domain; fi
say "ltm is installed and answers at $where."
say "The owner's token is in /etc/ltm/owner-token; from another machine: ltm auth $where TOKEN"
say 'More tokens: ltm-admin server issue-token NAME. Agents: docs/connect.md.'
if $workspaces; then say 'MCP_TOKEN and SYNC_TOKEN are in /etc/ltm/ltm.env.'; fi
