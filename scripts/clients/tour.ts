// What clients do beside keeping a copy, asked for by the scenario `tour` on the reference server: a line of JSON for
// each topic with what the program read back. A topic that it leaves out is one that its client has no way for.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, fetch } from 'undici';
import { type RunningServer, startServer } from '../../server/start.ts';
import { removeFolder } from '../remove-folder.ts';

const namespace = 'tour';

/** What a program says of each topic when all went well. */
export const topics: Readonly<Record<string, unknown>> = {
  crud: ['creation', 'replacement', true],
  pages: [2, 2, 1],
  watch: ['ADDED', 'MODIFIED', 'DELETED'],
  informer: 5,
  'json-patch': 'json',
  'merge-patch': 'merge',
  'strategic-merge-patch': ['one', 'two'],
  apply: [409, 'two'],
  table: ['Name', 'Data', 'Age'],
  protobuf: 5,
  scale: 3,
  status: 7,
  token: 'system:serviceaccount:tour:tourist',
  'leader-election': 'tourist',
  'custom-resource': 3,
  event: 'Toured',
};

/** By topic what was not as it should be, empty when all was; a topic that the program left out is not there. */
export type Toured = ReadonlyMap<string, string>;

const group = 'touchstone.example';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `tours.${group}` },
  spec: {
    group,
    names: { plural: 'tours', singular: 'tour', kind: 'Tour', listKind: 'TourList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { stops: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

const customObject = { apiVersion: `${group}/v1`, kind: 'Tour', metadata: { name: 'one' }, spec: { stops: 3 } };

const core = `/api/v1/namespaces/${namespace}`;

/** What must be there before: path of the collection, and the object. */
const before: readonly (readonly [string, object])[] = [
  ['/api/v1/namespaces', { metadata: { name: namespace } }],
  [`${core}/serviceaccounts`, { metadata: { name: 'tourist' } }],
  [`${core}/configmaps`, { metadata: { name: 'patched' }, data: { by: 'nobody' } }],
  ...[1, 2, 3, 4, 5].map(
    (nth) => [`${core}/configmaps`, { metadata: { name: `page-${nth}`, labels: { tour: 'pages' } } }] as const,
  ),
  [
    `/apis/apps/v1/namespaces/${namespace}/deployments`,
    {
      metadata: { name: 'toured' },
      spec: {
        selector: { matchLabels: { app: 'toured' } },
        template: {
          metadata: { labels: { app: 'toured' } },
          spec: { containers: [{ name: 'one', image: 'one' }] },
        },
      },
    },
  ],
];

async function furnish({ url, adminToken, certificateAuthority: ca }: RunningServer): Promise<void> {
  const dispatcher = new Agent({ connect: { ca } });
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  for (const [path, object] of before) {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(object), dispatcher });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
  await dispatcher.close();
}

/** Milliseconds for the whole tour. */
const limit = 120_000;

/** Sends a program on its tour of a server of its own; undefined when it does not play this scenario. */
export async function tour(command: readonly string[]): Promise<Toured | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-tour-'));
  try {
    await using server = await startServer({ securePort: 0 });
    await furnish(server);
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
    return await said(command, kubeconfig);
  } finally {
    removeFolder(folder);
  }
}

async function said([program = '', ...args]: readonly string[], kubeconfig: string): Promise<Toured | undefined> {
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    TOUCHSTONE_SCENARIO: 'tour',
    TOUCHSTONE_NAMESPACE: namespace,
    TOUCHSTONE_DEFINITION: JSON.stringify(definition),
    TOUCHSTONE_CUSTOM_OBJECT: JSON.stringify(customObject),
  };
  // In a group of its own, so that all that it has started ends with it.
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const timer = setTimeout(() => endGroup(child.pid), limit);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const code = await ended.finally(() => clearTimeout(timer));
  if (code === 64) return undefined;
  // Topics that it did not come to are none that it left out.
  return code === 0 ? outcomes(lines) : new Map([...outcomes(lines), ['its end', `exit code ${code}`]]);
}

function endGroup(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** What lines of JSON tell: a topic and its value, or what went wrong with it. */
export function outcomes(lines: readonly string[]): Toured {
  const told = lines.filter((line) => line.startsWith('{')).flatMap((line) => Object.entries(JSON.parse(line)));
  return new Map(
    told.flatMap(([topic, value]) => {
      const [expected, seen] = [JSON.stringify(topics[topic]), JSON.stringify(value)];
      if (expected === undefined) return [];
      return [[topic, seen === expected ? '' : `expected ${expected}, seen ${seen}`] as const];
    }),
  );
}
