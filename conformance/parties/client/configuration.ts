import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base64 } from '../../../fixtures/certificates.ts';
import { namespace } from './world.ts';

/** A folder of a rule's own with a client configuration in it. */
export interface Configuration {
  readonly folder: string;
  /** The path of the client configuration. */
  readonly file: string;
  /** Puts a file into the folder. Gives its path. */
  readonly write: (name: string, text: string, mode?: number) => string;
  /** Writes the client configuration. */
  readonly save: (user: object, extensions?: object) => void;
  readonly remove: () => void;
}

/** The configuration is JSON, which is YAML too. */
export function makeConfiguration(server: string, authority: string): Configuration {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-'));
  const write = (name: string, text: string, mode = 0o600): string => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const file = join(folder, 'kubeconfig');
  return {
    folder,
    file,
    write,
    save(user, extensions = {}) {
      const cluster = { server, 'certificate-authority-data': base64(authority), ...extensions };
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'judged',
        clusters: [{ name: 'judged', cluster }],
        users: [{ name: 'judged', user }],
        contexts: [{ name: 'judged', context: { cluster: 'judged', user: 'judged', namespace } }],
      };
      write('kubeconfig', JSON.stringify(config));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
