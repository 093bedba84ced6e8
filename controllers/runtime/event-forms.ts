import { formatMicroTime, formatTime } from './clock.ts';
import type { KubeObject } from './kube-object.ts';
import type { CoreEvent } from './resources.ts';

/** What a form is made of. */
export interface Telling {
  readonly regarding: KubeObject;
  readonly now: number;
  /** Who tells it, such as `job-controller`, and which of its processes. */
  readonly component: string;
  readonly instance: string;
}

/** What an event says of who tells it, when it came and how often: the first time, and once it came again. */
export interface EventForm {
  first(telling: Telling): Partial<CoreEvent>;
  again(count: number, last: number): Partial<CoreEvent>;
}

/**
 * As stock controllers and node agents tell: counted, with a time to the second, and with a source in place of a reporter.
 * @param hostOf where the one works who tells of an object, for those that work on nodes
 */
export const counted = (hostOf?: (regarding: KubeObject) => string): EventForm => ({
  first: ({ regarding, now, component }) => ({
    ...{ firstTimestamp: formatTime(now), lastTimestamp: formatTime(now), count: 1 },
    source: { component, ...(hostOf && { host: hostOf(regarding) }) },
  }),
  again: (count, last) => ({ count, lastTimestamp: formatTime(last) }),
});

/** As the stock scheduler tells, which speaks `events.k8s.io`: with a reporter, and a series of what comes again. */
export const inSeries: EventForm = {
  first: ({ now, component, instance }) => ({
    eventTime: formatMicroTime(now),
    ...{ reportingComponent: component, reportingInstance: `${component}-${instance}`.slice(0, 128) },
  }),
  again: (count, last) => ({ series: { count, lastObservedTime: formatMicroTime(last) } }),
};
