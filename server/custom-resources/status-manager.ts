import { cloneJson } from '../base/clone.ts';
import { carryOut, type Work } from '../base/turns/work.ts';
import { trackUpdate } from '../patch/apply/track-update.ts';
import { untracked } from '../patch/apply/tracked-write.ts';
import { setManagers } from '../registry/steps/managers.ts';
import { structureOfKind } from '../schema/load.ts';
import type { StructType } from '../schema/structure.ts';
import type { Change } from '../store/store.ts';
import type { Definition, DefinitionStatus } from './definition-shape.ts';

/** The name under which this server owns what it writes into the status of definitions. */
const manager = 'kube-apiserver';

const notOfStatus = untracked(['spec']);

/** A definition as the server itself tells its status, and owns what it changed. The same reference: nothing to keep. */
export const withStatus = (live: Definition, status: DefinitionStatus, now: number): Change | Promise<Change> =>
  status === live.status ? { keep: true } : carryOut(told(live, status, now));

function* told(live: Definition, status: DefinitionStatus, now: number): Work<Change> {
  const { apiVersion, kind } = live;
  const [group = '', version = ''] = apiVersion.split('/');
  const structure = structureOfKind(group, version, kind) as StructType;
  const next = { ...cloneJson(live), status: cloneJson(status) };
  // The list of conditions is always there, even if it is nothing yet.
  const before = { ...live, status: { conditions: null, ...live.status } };
  const write = { structure, manager, apiVersion, subresource: 'status', now, untracked: notOfStatus };
  setManagers(next, yield* trackUpdate({ ...write, live: before, next }));
  return { write: next };
}
