import type { KubeObject } from '../../base/kube-object.ts';
import type { Conversion } from '../strategy.ts';
import { type Event, newApi } from './event-shape.ts';

/** What the fields of the core group are called in `events.k8s.io`; all others have one name. */
const newNames: Readonly<Record<string, string>> = {
  count: 'deprecatedCount',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  source: 'deprecatedSource',
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
};

const coreNames = Object.fromEntries(Object.entries(newNames).map(([core, renamed]) => [renamed, core]));

function renamed(object: KubeObject, apiVersion: string, names: Readonly<Record<string, string>>): KubeObject {
  const fields = Object.entries(object).map(([name, value]) => [
    Object.hasOwn(names, name) ? names[name] : name,
    value,
  ]);
  return { ...(Object.fromEntries(fields) as KubeObject), apiVersion };
}

/** What the new API leaves out when empty, and the core group does not. */
const optional = ['reportingController', 'reportingInstance'];

function toNew(object: KubeObject): KubeObject {
  const event = renamed(object, newApi, newNames);
  for (const field of optional) if (event[field] === '') delete event[field];
  event['deprecatedSource'] ??= {};
  event['regarding'] ??= {};
  return event;
}

const selector = (read: (event: Event) => string | undefined) => (object: KubeObject) => read(object as Event) ?? '';

/** The parts of the reference to an event's object by which events can be selected. */
const reference = (name: string) => ({
  [`${name}.kind`]: selector(({ involvedObject }) => involvedObject?.kind),
  [`${name}.namespace`]: selector(({ involvedObject }) => involvedObject?.namespace),
  [`${name}.name`]: selector(({ involvedObject }) => involvedObject?.name),
  [`${name}.uid`]: selector(({ involvedObject }) => involvedObject?.uid),
  [`${name}.apiVersion`]: selector(({ involvedObject }) => involvedObject?.apiVersion),
  [`${name}.resourceVersion`]: selector(({ involvedObject }) => involvedObject?.resourceVersion),
  [`${name}.fieldPath`]: selector(({ involvedObject }) => involvedObject?.fieldPath),
});

export const coreSelectable = {
  ...reference('involvedObject'),
  reason: selector(({ reason }) => reason),
  reportingComponent: selector(({ reportingComponent }) => reportingComponent),
  // Who reports in the new way has no other source.
  source: selector(({ source, reportingComponent }) => source?.component || reportingComponent),
  type: selector(({ type }) => type),
};

/** Between the core form, which is stored, and that of `events.k8s.io`. */
export const newApiConversion: Conversion = {
  toStorage: (object) => renamed(object, 'v1', coreNames),
  fromStorage: toNew,
  selectable: {
    ...reference('regarding'),
    reason: selector(({ reason }) => reason),
    reportingController: selector(({ reportingComponent }) => reportingComponent),
    type: selector(({ type }) => type),
  },
};
