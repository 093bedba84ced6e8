import type { Note } from '../runtime/events.ts';
import type { Pod } from '../runtime/resources.ts';

/** Why something of a pod is told, what, and of which of its containers, if it is about one. */
export type News = readonly [reason: string, message: string, container?: string | undefined];

interface Beginner {
  readonly name: string;
  readonly image?: string | undefined;
}

/** Where its image comes from: it is there, or it is fetched anew each time. */
export const findsImage = ({ name, image }: Beginner, isFetched: boolean): readonly News[] =>
  isFetched
    ? [
        ['Pulling', `Pulling image "${image}"`, name],
        ['Pulled', `Successfully pulled image "${image}"`, name],
      ]
    : [['Pulled', `Container image "${image}" already present on machine`, name]];

export const begins = (container: string): readonly News[] => [
  ['Created', `Created container ${container}`, container],
  ['Started', `Started container ${container}`, container],
];
export const stops = (container: string): News => ['Killing', `Stopping container ${container}`, container];
/** @param wait milliseconds until it begins again */
export const backsOff = (container: string, wait: number): News => [
  'BackOff',
  `back-off ${wait / 1000}s restarting failed container=${container}`,
  container,
];

const asItShouldBe = new Set(['Pulling', 'Pulled', 'Created', 'Started', 'Killing']);

/** The event that tells it: a warning, unless a pod is doing what it should. */
export function noteOf([reason, note, container]: News, { spec }: Pod): Note {
  const list = containerLists.find((each) => spec?.[each]?.some(({ name }) => name === container));
  return {
    ...(!asItShouldBe.has(reason) && { type: 'Warning' }),
    ...{ reason, action: 'Running', note },
    ...(list && { fieldPath: `spec.${list}{${container}}` }),
  };
}

/** What holds containers in the spec of a pod. */
export const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const;
