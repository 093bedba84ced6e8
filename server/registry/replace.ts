import { cloneJson } from '../base/clone.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { notFound } from '../base/status-error.ts';
import type { Work } from '../base/turns/work.ts';
import type { Intent } from './attempt.ts';
import type { WriteCall, Written } from './call.ts';
import type { Proposal } from './draft.ts';
import { documentOf } from './patch-document.ts';
import { checkPlace } from './place.ts';
import { anotherObject, checkVersion } from './preconditions.ts';
import { subjectOf } from './resource.ts';
import { dropRepeatedOwners } from './steps/system-fields.ts';
import { write } from './write.ts';

/**
 * PUT: replaces an object, or creates it where its kind allows that (rule `verbs.update.classified`). `sent` is
 * decoded, of the request's version, and belongs to this call. @throws 400, 404, 409, 422
 */
export async function replace(call: WriteCall, sent: KubeObject, emptied?: ReadonlySet<string>): Promise<Written> {
  const document = documentOf(call);
  checkPlace(call, sent);
  const intent: Intent = createsMissing(call)
    ? { creates: 'missing' }
    : { absent: () => anotherObject(call, sent) ?? notFound(subjectOf(call.resource), call.name) };
  return document.showWritten(await write(call, proposed, { sent, emptied }, intent));
}

interface Given {
  readonly sent: KubeObject;
  readonly emptied: ReadonlySet<string> | undefined;
}

function* proposed(call: WriteCall, { sent, emptied }: Given, live: KubeObject | undefined): Work<Proposal> {
  // An attempt changes its copy, and there may be another attempt.
  const next = cloneJson(sent);
  dropRepeatedOwners(next.metadata, call);
  if (!live) yield call.demandCreate();
  else checkVersion(call, sent, live);
  if (live) return { next: documentOf(call).merge(live, next), emptied };
  delete next.metadata.generateName;
  return { next: newAt(call, next), emptied };
}

/** Whether a write to this path makes what is missing: PUT of some kinds, also through their status. */
export const createsMissing = ({ resource, subresource }: WriteCall): boolean =>
  resource.rules.createOnUpdate === true && (subresource === '' || subresource === 'status');

/** Readies an object to be made at a name which the request gave. In place. @throws 409 it says that it is another one */
export function newAt(call: WriteCall, next: KubeObject): KubeObject {
  const refusal = anotherObject(call, next);
  if (refusal) throw refusal;
  // A dry run shows it as it was sent.
  if (!call.options.dryRun) delete next.metadata.resourceVersion;
  return next;
}
