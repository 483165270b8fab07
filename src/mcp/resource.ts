import type { Reader } from '../verbs/describe-origin.ts';
import type { Opened } from './access.ts';

/** All that agents read by an address is JSON. */
export const RESOURCE_TYPE = 'application/json';

interface Described {
  name: string;
  title: string;
  mimeType: string;
}

export type ReadResource = (opened: Opened, reader: Reader) => Promise<unknown>;

/** What agents read by an address, without a tool. */
export interface Resources {
  listed: readonly ({ uri: string } & Described)[];
  templates: readonly ({ uriTemplate: string } & Described)[];
  /** null: there is nothing at this address. */
  find(uri: string): ReadResource | null;
}

/** The resources of several, in their order; the first that knows an address reads it. */
export function joinResources(all: readonly Resources[]): Resources {
  return {
    listed: all.flatMap(({ listed }) => listed),
    templates: all.flatMap(({ templates }) => templates),
    find: (uri) => {
      for (const { find } of all) {
        const found = find(uri);
        if (found !== null) return found;
      }
      return null;
    },
  };
}
