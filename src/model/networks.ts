import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** An address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Says whether an address lies in one of the networks. The list is made when it is first asked: a command line never does. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  let list: BlockList | null = null;
  return (given) => {
    const address = plainAddress(given);
    const version = isIP(address);
    if (version === 0) return false;
    list ??= listNetworks(networks);
    return list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Without port, brackets and zone; an IPv4 address as such, also where the socket takes both versions and shows `::ffff:10.0.0.1`. */
export function plainAddress(address: string): string {
  return address
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
}

/** What limits count by: whoever has one IPv6 address has the 2^64 beside it too. */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** IANA's special-purpose registries: what is in one of these is somebody's inside, or nobody's. */
const SPECIAL_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/** Within 2000::/3, the only range of which anything is routed: tunnels that wrap IPv4, documentation, benchmarks. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

const isSpecial = createNetworks([...SPECIAL_IPV4.split(/\s+/), ...SPECIAL_IPV6.split(' ')]);
const isRouted = createNetworks(['2000::/3']);
const isLoopback = createNetworks(['127.0.0.0/8', '::1']);

/** Can this address only be a machine on the open internet? Whatever cannot be read is not. */
export function isGlobalAddress(address: string): boolean {
  return (isIPv4(address) || (isIPv6(address) && isRouted(address))) && !isSpecial(address);
}

export function isLoopbackAddress(address: string): boolean {
  return (isIPv4(address) || isIPv6(address)) && isLoopback(address);
}
