import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCondition } from '../certificates/conditions.ts';
import { makeRequest } from '../certificates/make-request.ts';
import { nodeClient, nodeServing } from '../csr-signing/signers.ts';
import { Client } from '../runtime/client.ts';
import { bringing, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { labelsOf } from '../runtime/kube-object.ts';
import { randomSuffix } from '../runtime/random-name.ts';
import { certificateSigningRequests } from '../runtime/resources.ts';
import { hostIp } from './node.ts';

/** A certificate that an agent needs. */
interface Kind {
  readonly use: 'client' | 'serving';
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly names: (node: string) => readonly string[];
}

/** An agent logs in with the first, and asks for the second in its own name. */
const kinds: readonly Kind[] = [
  { use: 'client', signerName: nodeClient.name, usages: ['digital signature', 'client auth'], names: () => [] },
  {
    use: 'serving',
    signerName: nodeServing.name,
    usages: ['digital signature', 'server auth'],
    names: (node) => [node, hostIp],
  },
];

const nodeLabel = 'touchstone.example/node';
/** The share of its life after which a certificate is renewed. */
const renewAfter = 0.8;
/** How long an answer to a request is waited for before another is made, in milliseconds. */
const patience = 900_000;

interface Asked {
  readonly name: string;
  readonly key: string;
  readonly at: number;
}

/** Loops that keep `<node>-client.pem` and `<node>-serving.pem` (certificate, then key) in a folder; none without one. */
export function nodeCertificateLoops(names: readonly string[], folder: string | undefined): readonly Loop[] {
  if (!folder) return [];
  const own = new Set(names);
  const asked = new Map<string, Asked>();
  return [
    {
      name: 'node-agent-certificates',
      seeds: names,
      watches: [
        bringing(certificateSigningRequests, (csr) => {
          const node = labelsOf(csr)[nodeLabel] ?? '';
          return own.has(node) ? [node] : [];
        }),
      ],
      reconcile: async (request) => {
        for (const kind of kinds) {
          const wait = await obtain(request, kind, { folder, asked });
          if (wait !== 'has it') return wait;
        }
        return renewal(folder, request);
      },
    },
  ];
}

interface Keeping {
  readonly folder: string;
  readonly asked: Map<string, Asked>;
}

const fileOf = (folder: string, node: string, { use }: Kind): string => join(folder, `${node}-${use}.pem`);

/** Sees to one certificate. `has it`: it is there and good for a while. */
async function obtain(request: Request, kind: Kind, { folder, asked }: Keeping): Promise<Outcome | 'has it'> {
  const { key: node, read, clock } = request;
  const file = fileOf(folder, node, kind);
  if (renewalOf(file) > clock.now()) return 'has it';
  const id = `${node} ${kind.use}`;
  const pending = asked.get(id);
  const csr = pending && read(certificateSigningRequests).find(pending.name);
  if (pending && csr?.status?.certificate) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.from(csr.status.certificate, 'base64') + pending.key, { mode: 0o600 });
    asked.delete(id);
    return 'has it';
  }
  const refused = csr && (hasCondition(csr, 'Denied') || hasCondition(csr, 'Failed'));
  if (pending && clock.now() - pending.at < patience) return refused ? patience : pending.at + patience - clock.now();
  const certificate = kind.use === 'serving' ? readFileSync(fileOf(folder, node, kinds[0] as Kind), 'utf8') : undefined;
  asked.set(id, await ask(request, kind, certificate));
  return patience;
}

async function ask(
  { key: node, client, clock }: Request,
  { use, signerName, usages, names }: Kind,
  identity: string | undefined,
): Promise<Asked> {
  const { request, key } = await makeRequest(
    { commonName: `system:node:${node}`, organization: 'system:nodes' },
    names(node),
  );
  const name = `${node}-${use}-${randomSuffix()}`;
  const spec = { request: Buffer.from(request).toString('base64'), signerName, usages: [...usages] };
  const csr = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name, labels: { [nodeLabel]: node } },
    spec,
  };
  if (identity === undefined) {
    await client.create(certificateSigningRequests, csr, {});
    return { name, key, at: clock.now() };
  }
  const connection = await client.connection.as({ certificate: identity, key: identity });
  try {
    const signal = AbortSignal.timeout(30_000);
    await new Client({ connection, clock, signal, userAgent: `node-agent/${node}` }).create(
      certificateSigningRequests,
      csr,
      {},
    );
  } finally {
    connection.close();
  }
  return { name, key, at: clock.now() };
}

/** When the certificate in a file is to be renewed, in milliseconds; 0 when there is none. */
function renewalOf(file: string): number {
  if (!existsSync(file)) return 0;
  try {
    const { validFrom, validTo } = new X509Certificate(readFileSync(file));
    return Date.parse(validFrom) + (Date.parse(validTo) - Date.parse(validFrom)) * renewAfter;
  } catch {
    return 0;
  }
}

/** Milliseconds until the first certificate of the node is to be renewed. */
const renewal = (folder: string, { key, clock }: Request): number =>
  Math.max(1_000, Math.min(...kinds.map((kind) => renewalOf(fileOf(folder, key, kind)))) - clock.now());
