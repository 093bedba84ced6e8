#!/usr/bin/env node
// `npm run wire [-- --seed N --connections 5000 --from 0]`: bytes that are almost HTTP/1.1 or HTTP/2, sent to a server by clients
// that break off in every way. Exit 1 when it stopped answering, ended, or kept something of them.
import { given, numberGiven } from '../given.ts';
import { playBytes } from './play.ts';

const { values } = given('wire', {
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string', default: '0' },
    connections: { type: 'string', default: '5000' },
  },
});
const seed = numberGiven('wire', 'seed', values.seed, 'from 0 up');
const connections = numberGiven('wire', 'connections', values.connections);
let last = 0;
process.on('uncaughtExceptionMonitor', () => console.error(`at connection ${last} or one before it, seed ${seed}`));

const findings = await playBytes({
  seed,
  connections,
  from: numberGiven('wire', 'from', values.from, 'from 0 up'),
  begins(connection) {
    last = connection;
  },
});
for (const finding of new Set(findings)) console.error(finding);
console.log(`${connections} connections, ${findings.length} findings; again with --seed ${seed}`);
process.exitCode = findings.length > 0 ? 1 : 0;
