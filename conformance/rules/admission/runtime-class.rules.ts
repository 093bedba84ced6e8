import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus, removeIn } from '../../sabotage/transforms.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

const posts = { method: 'POST', path: /\/pods$/ };
const inPart = { cpu: '250m', memory: '65Mi' };
const overhead = { podFixed: { cpu: '250m', memory: '64Mi' } };

/** Where pods of a class run, beside what they say themselves. */
const scheduling = { nodeSelector: { a: 'class' }, tolerations: [{ key: 'a', operator: 'Exists' }] };

export default [
  // A pod's `overhead` is that of its runtime class.
  defineRule('admission.runtime-class.sets-overhead', {
    needs: ['pods'],
    sabotage: removeIn('spec.overhead', posts),
    async check(context) {
      const { pods, runtimeClasses, expect } = context;
      await preparePods(context);
      const { metadata } = await runtimeClasses.create({ overhead, scheduling });
      const own = { nodeSelector: { b: 'own' }, tolerations: [{ key: 'b', operator: 'Exists' }] };
      const answer = await pods.post(pods.sample({ spec: { runtimeClassName: metadata.name, ...own } }));
      expect(answer.status, said(answer)).toBe(201);
      expect(answer.body.spec.overhead).toEqual(overhead.podFixed);
      const { nodeSelector, tolerations } = scheduling;
      expect(answer.body.spec.nodeSelector, 'where it runs').toEqual({ ...nodeSelector, ...own.nodeSelector });
      for (const one of [...own.tolerations, ...tolerations])
        expect(answer.body.spec.tolerations, 'what it bears').toContainEqual(expect.objectContaining(one));
    },
  }),

  // A new pod with an `overhead` of its own making is refused.
  defineRule('admission.runtime-class.overhead-set', {
    needs: ['pods'],
    sabotage: [answerStatus(201, { ...posts, instead: 403 }), storesRefused({ path: /\/pods(\/[^/]+)?$/ })],
    async check(context) {
      const { pods, runtimeClasses, expect } = context;
      await preparePods(context);
      const { metadata } = await runtimeClasses.create({ overhead });
      const { status } = await pods.post(pods.sample({ spec: { runtimeClassName: metadata.name } }));
      expect(status, 'without an overhead').toBe(201);
      // An overhead that equals the class's passes on genuine servers.
      const refused = {
        'with an overhead of its own': { runtimeClassName: metadata.name, overhead: { cpu: '1' } },
        'with an overhead that is its own in part': { runtimeClassName: metadata.name, overhead: inPart },
        'with an overhead and no class': { overhead: { cpu: '1' } },
      };
      for (const [what, spec] of Object.entries(refused)) {
        const sample = pods.sample({ spec });
        expect((await pods.post(sample)).status, what).toBe(403);
        expect((await pods.get(sample.metadata.name)).status, `${what}, as stored`).toBe(404);
      }
    },
  }),
];
