import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

const posts = { method: 'POST', path: /\/pods$/ };

/** Who changes a pod need not say what was looked up for it. */
async function keepsPriority({ pods, expect }: RuleContext, priorityClassName: string): Promise<void> {
  // Nobody gives it a node meanwhile.
  const made = await pods.create({ spec: { priorityClassName, schedulerName: 'touchstone.example/nobody' } });
  const { priority, preemptionPolicy, ...rest } = made.spec;
  for (const left of [{}, { priority }, { preemptionPolicy }]) {
    const answer = await pods.put({ ...made, metadata: unversioned(made), spec: { ...rest, ...left } });
    expect(answer.status, `an update that says ${JSON.stringify(left)}: ${said(answer)}`).toBe(200);
    expect((await pods.read(made.metadata.name)).spec, 'what is stored').toMatchObject({ priority, preemptionPolicy });
  }
}

/** As of whatever version the object is by now. */
const unversioned = ({ metadata: { resourceVersion: _, ...metadata } }: Json): Json => metadata;

export default [
  // A pod's priority is looked up by its `priorityClassName`.
  defineRule('admission.priority.fills', {
    needs: ['pods'],
    sabotage: [
      replaceIn('spec.priority', posts),
      replaceIn('spec.preemptionPolicy', { ...posts, with: 'PreemptLowerPriority' }),
    ],
    async check(context) {
      const { pods, priorityClasses, waitUntil, allHeard, expect } = context;
      await preparePods(context);
      const { metadata } = await priorityClasses.create({ value: 1234, preemptionPolicy: 'Never' });
      const post = () => pods.post(pods.sample({ spec: { priorityClassName: metadata.name } }));
      // Servers may hear of a new class a little later.
      const answered = await waitUntil('the class is known', post, (answer) => answer.status !== 403);
      expect(answered.status, said(answered)).toBe(201);
      expect(answered.body.spec.priority).toBe(1234);
      expect(answered.body.spec.preemptionPolicy, 'whether it may take the place of others').toBe('Never');
      await allHeard();
      await keepsPriority(context, metadata.name);
    },
  }),

  // A pod of a priority class that is not there is refused.
  defineRule('admission.priority.unknown-class', {
    needs: ['pods'],
    sabotage: [answerStatus(201, { ...posts, instead: 403 }), storesRefused({ path: /\/pods(\/[^/]+)?$/ })],
    async check(context) {
      const { pods, unique, expect } = context;
      await preparePods(context);
      expect((await pods.post(pods.sample())).status, 'without a class').toBe(201);
      const sample = pods.sample({ spec: { priorityClassName: unique('none') } });
      expect((await pods.post(sample)).status, 'of a class that does not exist').toBe(403);
      expect((await pods.get(sample.metadata.name)).status, 'that pod').toBe(404);
    },
  }),
];
