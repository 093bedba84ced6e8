import type { Sabotage } from '../sabotage/sabotage.ts';
import { changeAnswer, removeIn, replaceIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';

export const jobReads = { method: 'GET', path: /\/jobs\/[^/]+$/ } as const;
export const podLists = { method: 'GET', path: /\/pods$/ } as const;

/** The controller never says how a job is. */
export const saysNothing: Sabotage = removeIn('status.conditions', jobReads);

/** The controller says this of every job. */
export const claims = (type: string): Sabotage =>
  changeAnswer(
    `says that ${type} is True`,
    (job: Json) => ({
      ...job,
      status: {
        ...job.status,
        conditions: [
          ...(job.status?.conditions ?? []).filter((one: Json) => one.type !== type),
          { type, status: 'True', lastTransitionTime: '2024-05-06T07:08:09Z' },
        ],
      },
    }),
    jobReads,
  );

/** There is always a pod. */
export const showsStray: Sabotage = replaceIn('items', { ...podLists, with: [{ metadata: { name: 'stray' } }] });

/** Every pod is there twice. */
export const showsTwice: Sabotage = changeAnswer(
  'shows every pod twice',
  (list) => ({ ...list, items: [...list.items, ...list.items] }),
  podLists,
);

/** No pod is ever there. */
export const showsNone: Sabotage = replaceIn('items', { ...podLists, with: [] });

/** A pod that was there once is there for good. */
export const keepsShowing: Sabotage = {
  name: 'goes on showing pods that are gone',
  begin: () => {
    let most: readonly Json[] = [];
    const sabotage = changeAnswer(
      '',
      (list) => {
        if (list.items.length > most.length) most = list.items;
        return { ...list, items: most };
      },
      podLists,
    );
    return sabotage.begin();
  },
};
