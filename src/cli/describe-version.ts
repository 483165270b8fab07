import { LATEST_PACKET_VERSION } from '../features/packets/packet.ts';
import { VERSION } from '../model/version.ts';

/** With the version of the packets it writes: two programs that agree on that understand each other. */
export function describeVersion(): string {
  return `ltm version ${VERSION} (protocol ${LATEST_PACKET_VERSION})`;
}
