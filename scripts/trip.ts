#!/usr/bin/env node
// `npm run trip -- create [--list]`: through how many files and functions of the server one warm request goes.
import { Session } from 'node:inspector/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Agent, type Dispatcher } from 'undici';
import { type RunningServer, startServer } from '../server/start.ts';

const server = fileURLToPath(new URL('../server/', import.meta.url));
const warmUps = 20;
/** Requests of which the shortest trip counts: in one where the machine pauses, the work asks whether others have their turn. */
const tries = 5;
const base = '/api/v1/namespaces/trip/configmaps';

const configMap = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'trip' } },
  data: { value },
});

interface Request {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
}

/** What each verb sends; `i` makes each request differ from the one before. */
const verbs: Readonly<Record<string, (i: number) => Request>> = {
  create: (i) => ({ method: 'POST', path: base, body: configMap(`made-${i}`, 'x') }),
  get: () => ({ method: 'GET', path: `${base}/one` }),
  list: () => ({ method: 'GET', path: base }),
  update: (i) => ({ method: 'PUT', path: `${base}/one`, body: configMap('one', `update ${i}`) }),
  patch: (i) => ({
    method: 'PATCH',
    path: `${base}/one`,
    body: { data: { value: `patch ${i}` } },
    type: 'application/merge-patch+json',
  }),
  apply: (i) => ({
    method: 'PATCH',
    path: `${base}/one?fieldManager=trip&force=true`,
    body: configMap('one', `apply ${i}`),
    type: 'application/apply-patch+yaml',
  }),
  delete: (i) => ({ method: 'DELETE', path: `${base}/gone-${i}` }),
};

/** Sends one request and waits for the whole answer. @throws Error for an answer above 299 */
function sender({ url, adminToken, certificateAuthority: ca }: RunningServer) {
  const dispatcher = new Agent({ connections: 1, connect: { ca } });
  return async ({ method, path, body, type = 'application/json' }: Request): Promise<void> => {
    const headers = { authorization: `Bearer ${adminToken}`, ...(body && { 'content-type': type }) };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await dispatcher.request({ origin: url, path, method, headers, ...sent });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  };
}

interface Visited {
  readonly file: string;
  readonly functions: readonly string[];
}

/** What the engine counts apart, though it is part of a constructor. */
const fieldsOfClass = '<instance_members_initializer>';

/** The functions of the server that are entered while `act` runs, as the engine counts them; bodies of modules are none. */
async function visited(session: Session, act: () => Promise<void>): Promise<Visited[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    if (!url.startsWith(pathToFileURL(server).href)) return [];
    const entered = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0 && (ranges[0]?.startOffset ?? 0) > 0);
    const names = entered.flatMap(({ functionName: name }) => (name === fieldsOfClass ? [] : [name || '(unnamed)']));
    return names.length > 0 ? [{ file: fileURLToPath(url).slice(server.length), functions: names }] : [];
  });
}

const functionsOf = (files: readonly Visited[]): number =>
  files.reduce((sum, { functions }) => sum + functions.length, 0);

async function main([wanted = 'create', option]: readonly string[]): Promise<void> {
  const chosen = wanted === 'all' ? Object.keys(verbs) : [wanted];
  const unknown = chosen.find((verb) => !verbs[verb]);
  if (unknown || (option && option !== '--list')) {
    console.error(`usage: npm run trip -- ${Object.keys(verbs).join('|')}|all [--list]`);
    process.exit(2);
  }
  const running = await startServer();
  const send = sender(running);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'trip' } } });
  await send({ method: 'POST', path: base, body: configMap('one', 'x') });
  for (let i = 0; i < warmUps + tries; i++)
    await send({ method: 'POST', path: base, body: configMap(`gone-${i}`, 'x') });
  for (const verb of chosen) {
    const make = verbs[verb] as (i: number) => Request;
    for (let i = 0; i < warmUps; i++) await send(make(i));
    const trips: Visited[][] = [];
    for (let i = warmUps; i < warmUps + tries; i++) trips.push(await visited(session, () => send(make(i))));
    const files = trips.reduce((one, other) => (functionsOf(other) < functionsOf(one) ? other : one));
    const functions = functionsOf(files);
    console.log(`${verb.padEnd(8)}${String(files.length).padStart(4)} files${String(functions).padStart(6)} functions`);
    if (option) for (const { file, functions: names } of files) console.log(`  ${file}: ${names.join(', ')}`);
  }
  await running.stop();
  process.exit();
}

await main(process.argv.slice(2));
