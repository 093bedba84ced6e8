#!/usr/bin/env node
// Proves that imports run one way and in no circle, types included. Exit 1 with one line for each that does not.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesOf } from './circles.ts';
import { forAll } from './for-all.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Those of server/ that stand in no room of it: they put a server together. */
const top = '';

/** Inside server/: a room may import itself and those of floors before it. Rooms of one floor know nothing of each other. */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['schema', 'x509', 'http-client'],
  ['store', 'cel'],
  ['watch'],
  ['patch'],
  ['kinds'],
  ['registry'],
  ['custom-resources', 'authn', 'authz'],
  ['admission'],
  ['request'],
  ['faults', 'ui'],
  ['certificates', 'engine'],
  ['options'],
  [top],
  ['worlds', 'commands', 'envtest'],
];

/** Contracts of later layers that earlier ones may name, as types alone. */
const typesAllowed: readonly string[] = ['server/admission/admission.ts'];

/** What each top-level folder may import of the others. */
const foldersAllowed: Readonly<Record<string, readonly string[]>> = {
  server: ['server'],
  conformance: ['conformance', 'fixtures'],
  controllers: ['controllers', 'fixtures'],
  webhooks: ['webhooks', 'fixtures'],
  fixtures: ['fixtures'],
  scripts: ['scripts', 'server', 'conformance', 'controllers', 'webhooks', 'fixtures'],
};

/** The doors through which one part starts another. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'conformance/target/reference-worker.ts': [
    'server/start.ts',
    'server/options/command-line.ts',
    'server/options/flags.ts',
    'controllers/index.ts',
  ],
  'server/controllers-beside.ts': ['controllers/index.ts'],
  'server/worlds/worlds.ts': [
    'controllers/runtime/api-error.ts',
    'controllers/runtime/client.ts',
    'controllers/runtime/clock.ts',
    'controllers/runtime/connection/connection.ts',
    'controllers/runtime/kube-object.ts',
    'controllers/runtime/resources.ts',
  ],
  'server/worlds/vitest.ts': ['controllers/runtime/kube-object.ts'],
  'server/worlds/world-report.ts': ['controllers/runtime/kube-object.ts'],
  'webhooks/install.ts': [
    'controllers/runtime/client.ts',
    'controllers/runtime/connection/connection.ts',
    'controllers/runtime/clock.ts',
    'controllers/runtime/connection/kubeconfig.ts',
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const importPattern =
  /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|^import\s+'(\.[^']+)'/gm;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importPattern)].map(([, type, plain, dynamic, bare]) => ({
    from: file,
    to: relative(root, join(root, dirname(file), plain ?? dynamic ?? bare ?? '')).replaceAll('\\', '/'),
    typeOnly: type !== undefined,
  }));
}

/** The room of a file of server/. */
const roomOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? top) : top);

const floorOf = (room: string) => layers.findIndex((floor) => floor.includes(room));

function mistakeIn({ from, to, typeOnly }: Import): string | undefined {
  const isTest = /\.(?:test|contract|fixture)\.ts$/.test(from);
  if (isTest || forAll.includes(to) || doors[from]?.includes(to)) return undefined;
  const [fromFolder = '', toFolder = ''] = [from.split('/')[0], to.split('/')[0]];
  const allowed = foldersAllowed[fromFolder];
  if (allowed && !allowed.includes(toFolder))
    return `${from} may not import ${to}: ${fromFolder}/ imports only ${allowed.join(', ')}`;
  if (fromFolder !== 'server' || toFolder !== 'server') return undefined;
  if (typeOnly && typesAllowed.includes(to)) return undefined;
  const [ownRoom, room] = [roomOf(from), roomOf(to)];
  if (floorOf(room) < 0) return `${from} may not import ${to}: ${room}/ has no place among the layers`;
  if (floorOf(room) > floorOf(ownRoom)) return `${from} may not import ${to}: that is a later layer`;
  if (floorOf(room) === floorOf(ownRoom) && room !== ownRoom)
    return `${from} may not import ${to}: the two stand on one floor`;
  return undefined;
}

const files = globSync('{server,conformance,controllers,webhooks,fixtures,scripts}/**/*.ts', { cwd: root });
const imports = files.flatMap((file) => importsOf(file.replaceAll('\\', '/')));
const mistakes = imports.map(mistakeIn).filter((mistake) => mistake !== undefined);
const circles = circlesOf(imports);
for (const mistake of mistakes) console.error(mistake);
for (const circle of circles) console.error(`${circle.length} files import each other: ${circle.join(', ')}`);
console.log(
  `${imports.length} imports in ${files.length} files: ${mistakes.length} run the wrong way, ${circles.length} circles`,
);
process.exitCode = mistakes.length + circles.length > 0 ? 1 : 0;
