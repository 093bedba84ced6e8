import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

const container = (name: string): Json => ({ name, image: 'registry.example/pause:1' });
const codes: Readonly<Record<string, number>> = { well: 0, badly: 3 };
const time = '2024-05-06T07:08:09Z';

/** Which containers may run again once they have ended. */
const mayRunAgain: Readonly<Record<string, readonly string[]>> = {
  Never: [],
  OnFailure: ['badly'],
  Always: ['well', 'badly'],
};

const reported = (name: string, state: Json): Json => ({
  ...container(name),
  ...{ imageID: '', ready: false, restartCount: 0, state },
});

const ended = (name: string): Json =>
  reported(name, { terminated: { exitCode: codes[name], startedAt: time, finishedAt: time } });

/** What no status says, whatever was before. */
const refused: Readonly<Record<string, Json>> = {
  'an address that is none': { podIP: 'nowhere', podIPs: [{ ip: 'nowhere' }] },
  'two addresses of one family': { podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }] },
  'a condition of no name': { conditions: [{ type: 'not a name!', status: 'True' }] },
};

/** The sorts of containers of which a status tells. */
const sorts = { containers: 'containerStatuses', initContainers: 'initContainerStatuses' } as const;
type Sort = keyof typeof sorts;

/** What ended for good does not run again, as the pod says of its containers, and a status says what can be. */
export async function judgesEnds(context: RuleContext): Promise<void> {
  await preparePods(context);
  for (const [restartPolicy, again] of Object.entries(mayRunAgain))
    for (const sort of ['containers', 'initContainers'] as const) await endsBy(context, { restartPolicy, again, sort });
}

interface Ends {
  readonly restartPolicy: string;
  readonly again: readonly string[];
  readonly sort: Sort;
}

async function endsBy({ pods, expect }: RuleContext, { restartPolicy, again, sort }: Ends): Promise<void> {
  const list = sorts[sort];
  const containers = { containers: [container('main')], [sort]: Object.keys(codes).map(container) };
  const spec = { restartPolicy, ...containers, schedulerName: 'touchstone.example/nobody' };
  const name = nameOf(await pods.create({ spec }));
  const tell = (status: Json) => pods.patch(name, { status }, { sub: 'status' });
  const statuses = Object.keys(codes).map(ended);
  expect((await tell({ phase: 'Running', [list]: statuses })).status, `${restartPolicy}: what ended`).toBe(200);
  if (sort === 'containers')
    for (const [what, status] of Object.entries(refused))
      expect((await tell(status)).status, `${restartPolicy}: ${what}`).toBe(422);
  for (const each of Object.keys(codes)) {
    const running = reported(each, { running: { startedAt: time } });
    const others = statuses.filter(({ name: other }) => other !== each);
    const answer = await tell({ [list]: [...others, running] });
    const what = `${restartPolicy}, ${sort}: what ended ${each} runs again: ${said(answer)}`;
    expect(answer.status, what).toBe(again.includes(each) ? 200 : 422);
    await tell({ [list]: statuses });
  }
}
