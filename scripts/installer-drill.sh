#!/usr/bin/env bash
# Runs deploy/install.sh as an operator would, in a Debian of its own that systemd manages: installs, upgrades, meets a broken release, goes back, backs up,
# and is shut out by the jail. Needs root, debootstrap and systemd-container (Debian's packages), and some minutes for the first run.
#   npm run build && scripts/installer-drill.sh [FOLDER]     FOLDER keeps the Debian for the next run; .scratch/drill by default
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(realpath -m "${1:-.scratch/drill}")
root=$place/root
mkdir -p "$place"

if [ ! -x "$root/usr/bin/fail2ban-client" ]; then
  debootstrap --variant=minbase \
    --include=systemd,systemd-sysv,dbus,nginx-light,fail2ban,python3-systemd,nftables,curl,openssl,ca-certificates,iproute2,procps \
    bookworm "$root" http://deb.debian.org/debian
fi
# An earlier run's traces.
rm -rf "$root"/opt/ltm "$root"/etc/ltm "$root"/var/lib/ltm "$root"/var/backups/ltm "$root"/var/log/ltm "$root"/srv/drill "$root"/usr/local/sbin/ltm-admin
rm -rf "$root"/etc/systemd/system/ltm* "$root"/etc/systemd/system/*/ltm* "$root"/etc/nginx/conf.d/ltm* "$root"/etc/fail2ban/*/ltm*
chroot "$root" userdel ltm 2>/dev/null || true

# Node and npm, the files of deploy/, the packed program, and one that does not start.
mkdir -p "$root/srv/drill/cache" "$root/usr/local/lib/node_modules"
cp "$(node -p process.execPath)" "$root/usr/local/bin/node"
cp -rL "$(dirname "$(realpath "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp -r deploy "$root/srv/drill/"
packed=$(npm pack --silent --ignore-scripts --pack-destination "$place" | tail -n 1)
cp "$place/$packed" "$root/srv/drill/ltm.tgz"
rm -rf "$place/broken" "$place/warm"
mkdir -p "$place/broken" "$place/warm"
tar -C "$place/broken" -xzf "$place/$packed"
sed -i "1a if (process.argv[2] === 'server') process.exit(3);" "$place/broken/package/bin/ltm.js"
tar -C "$place/broken" -czf "$root/srv/drill/broken.tgz" package
# The container has no network but a line to this machine: what npm needs is fetched here.
npm_config_cache=$root/srv/drill/cache npm install --silent --no-audit --no-fund --ignore-scripts --omit=dev --prefix "$place/warm" "$place/$packed"

cat >"$root/srv/drill/walk.sh" <<'END'
#!/bin/bash
# Inside. Ends at the first step that goes wrong.
exec >/srv/drill/log 2>&1
set -euo pipefail
trap 'echo "FAILED in line $LINENO"; touch /srv/drill/ended; systemctl poweroff' ERR
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root npm_config_cache=/srv/drill/cache npm_config_offline=true
cd /srv/drill
ip addr add 10.99.0.2/24 dev host0
ip link set host0 up
printf '[sshd]\nbackend = systemd\n' >/etc/fail2ban/jail.local
grep -q memory.test /etc/hosts || echo '127.0.0.1 memory.test' >>/etc/hosts
says() { if ! grep -q -- "$1"; then echo "missing: $1"; false; fi; }
release() { readlink /opt/ltm/current; }
search() { curl -fsSk -H "Authorization: Bearer $(cat /etc/ltm/owner-token)" "https://memory.test/api/v1/search?q=$1"; }
store() { curl -fsSk -o /dev/null -H "Authorization: Bearer $(cat /etc/ltm/owner-token)" -H 'content-type: application/json' -d "{\"content\":\"$1\"}" https://memory.test/api/v1/memories; }

echo '== dry run'
deploy/install.sh --dry-run --domain memory.test --proxy nginx --package /srv/drill/ltm.tgz
[ ! -e /opt/ltm ] && [ ! -e /etc/ltm ]
echo '== first install'
deploy/install.sh --domain memory.test --proxy nginx --package /srv/drill/ltm.tgz
systemctl is-active ltm ltm-backup.timer nginx fail2ban
[ "$(stat -c %a:%U /etc/ltm/owner-token /etc/ltm/ltm.env /var/lib/ltm/memory.db | tr '\n' ' ')" = '600:root 600:root 600:ltm ' ]
store 'The staging database listens on port 6432.'
search 'staging+database' | says 6432
echo '== nightly backup'
systemctl start ltm-backup.service
ltm-admin backup list | says '1 record'
ltm-admin backup verify | says 'sound'
first=$(release)
echo '== upgrade, with what was said before'
deploy/install.sh --package /srv/drill/ltm.tgz --workspaces
[ "$(release)" != "$first" ]
search 'staging+database' | says 6432
grep -q '^MCP_TOKEN=' /etc/ltm/ltm.env
second=$(release)
echo '== a release that does not start'
if deploy/install.sh --package /srv/drill/broken.tgz; then false; fi
[ "$(release)" = "$second" ]
[ "$(ls /opt/ltm/releases | wc -l)" = 2 ]
search 'staging+database' | says 6432
echo '== back to the first'
store 'Written after the upgrade.'
deploy/install.sh --rollback
[ "$(release)" = "$first" ]
search 'staging+database' | says 6432
if deploy/install.sh --rollback; then false; fi
echo '== the jail'
fail2ban-client status ltm
touch /srv/drill/knock
for ((i = 0; i < 120; i++)); do if [ -e /srv/drill/knocked ]; then break; fi; sleep 0.5; done
for ((i = 0; i < 40; i++)); do if fail2ban-client status ltm | grep -q 10.99.0.1; then break; fi; sleep 0.5; done
fail2ban-client status ltm | says 10.99.0.1
touch /srv/drill/shut
for ((i = 0; i < 120; i++)); do if [ -e /srv/drill/asked ]; then break; fi; sleep 0.5; done
if grep -E 'ERROR.*(ltm|ban)' /var/log/fail2ban.log; then echo 'fail2ban met errors'; fi
systemctl stop ltm
echo 'EVERYTHING PASSED'
touch /srv/drill/ended
systemctl poweroff
END
chmod +x "$root/srv/drill/walk.sh"
cat >"$root/etc/systemd/system/drill.service" <<'END'
[Unit]
After=network.target nginx.service fail2ban.service
[Service]
Type=oneshot
ExecStart=/srv/drill/walk.sh
END
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -sf ../drill.service "$root/etc/systemd/system/multi-user.target.wants/drill.service"

# A host with the older cgroups gives them to the container.
if [ ! -f /sys/fs/cgroup/cgroup.controllers ]; then export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=0; fi
timeout 600 systemd-nspawn --boot --directory "$root" --register=no --keep-unit --machine ltmdrill --network-veth >"$place/boot.log" 2>&1 </dev/null &
for ((i = 0; i < 60; i++)); do if ip link show ve-ltmdrill >/dev/null 2>&1; then break; fi; sleep 0.5; done
ip addr add 10.99.0.1/24 dev ve-ltmdrill
ip link set ve-ltmdrill up
ask() { curl -sk -m 3 -o /dev/null -w '%{http_code}\n' --resolve memory.test:443:10.99.0.2 "$@" https://memory.test/api/v1/memories || true; }
while [ ! -e "$root/srv/drill/knock" ] && [ ! -e "$root/srv/drill/ended" ]; do sleep 1; done
shut=0
if [ -e "$root/srv/drill/knock" ]; then
  for ((i = 0; i < 25; i++)); do ask -H "Authorization: Bearer ltmk$i" >/dev/null; done
  touch "$root/srv/drill/knocked"
  while [ ! -e "$root/srv/drill/shut" ] && [ ! -e "$root/srv/drill/ended" ]; do sleep 1; done
  sleep 1
  shut=$(ask)
  touch "$root/srv/drill/asked"
fi
wait || true
cat "$root/srv/drill/log"
# A kernel without the parts of nftables that fail2ban uses lets the address in all the same.
printf 'after 25 wrong tokens the answer was %s (000: none)\n' "$shut"
grep -q 'EVERYTHING PASSED' "$root/srv/drill/log"
