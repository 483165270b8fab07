import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for this machine that nobody has signed but itself, made anew each time: no key is kept in the repository. */
export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaSha256 = sequence(hex('06082a8648ce3d040302'));
  const name = sequence(wrap(0x31, sequence(hex('0603550403'), wrap(0x0c, Buffer.from('localhost')))));
  const time = (years: number): Buffer => {
    const digits = new Date(Date.now() + years * 365 * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
    return wrap(0x18, Buffer.from(digits));
  };
  const alternatives = sequence(wrap(0x82, Buffer.from('localhost')), wrap(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = wrap(0xa3, sequence(sequence(hex('0603551d11'), wrap(0x04, alternatives))));
  const facts = sequence(
    hex('a003020102'),
    hex('020101'),
    ecdsaSha256,
    name,
    sequence(time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', facts, privateKey);
  const der = sequence(facts, ecdsaSha256, wrap(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return wrap(0x30, Buffer.concat(parts));
}

/** One value of DER: what it is, how long, and the value. */
function wrap(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}
