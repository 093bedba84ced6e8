#!/usr/bin/env node
// `npm run bench-aims [-- --only WORDS]`: each figure that is promised of the server, beside what is promised. Exit 1 where
// one is not reached. Those of time need a machine with two processors that do little else.
import { parseArgs } from 'node:util';
import { withoutEtcd } from '../../../server/store/etcd/etcd-process.fixture.ts';
import { type Aim, isReached } from './aim.ts';
import { memoryAfterwards, memoryOfObjects } from './memory.ts';
import { getUnderLoad, leasesUnderLoad, livezUnderLoad } from './under-load.ts';
import { fanOut, watchersElsewhere } from './watching.ts';
import { fewWritesWithEtcd, getsWithEtcd, listsWithEtcd, manyWritesWithEtcd } from './with-etcd.ts';

const needEtcd: readonly Aim[] = [fewWritesWithEtcd, manyWritesWithEtcd, getsWithEtcd, listsWithEtcd];
const aims: readonly Aim[] = [
  ...needEtcd,
  fanOut,
  watchersElsewhere,
  getUnderLoad,
  livezUnderLoad,
  leasesUnderLoad,
  memoryOfObjects,
  memoryAfterwards,
];

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const promised = ({ most, least, unit }: Aim) =>
  `${most === undefined ? `at least ${least}` : `at most ${most}`} ${unit}`;

for (const aim of aims.filter(({ name }) => name.includes(values.only))) {
  if (withoutEtcd && needEtcd.includes(aim)) {
    console.log(`not measured  ${aim.name}: ${withoutEtcd}`);
    continue;
  }
  const measurement = await aim.measure();
  const reached = isReached(aim, measurement);
  const { figure, of } = measurement;
  console.log(`${reached ? 'reached' : 'missed'}  ${aim.name}: ${figure.toFixed(1)} (${promised(aim)}): ${of}`);
  if (!reached) process.exitCode = 1;
}
process.exit();
