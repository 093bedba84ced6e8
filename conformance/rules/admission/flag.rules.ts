import { restrictsPodsOfNodes } from '../../checks/access/pods-of-nodes.ts';
import { restrictsNodes } from '../../checks/access/restricted-nodes.ts';
import { givesDefaultClasses } from '../../checks/pods/default-classes.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { said } from '../../verbs/said.ts';

const pods = { method: 'POST', path: /\/pods$/ };

/** Every image is pulled, whatever a new pod says. @returns what is stored of it */
async function pullsAlways(context: RuleContext): Promise<Json> {
  await preparePods(context);
  const container = { image: 'registry.example/pause:1', imagePullPolicy: 'IfNotPresent' };
  const parts = ['initContainers', 'containers'] as const;
  const given = parts.map((part) => [
    part,
    [1, 2].map((one) => ({ ...container, name: `${part.toLowerCase()}-${one}` })),
  ]);
  const answer = await context.pods.post(context.pods.sample({ spec: Object.fromEntries(given) }));
  context.expect(answer.status, said(answer)).toBe(201);
  const always = { imagePullPolicy: 'Always' };
  for (const part of parts) context.expect(answer.body.spec[part], part).toMatchObject([always, always]);
  return answer.body.spec;
}

/** AlwaysPullImages is off by default, and can be seen at work. */
const pulls = (id: string, flags: readonly string[]): Rule =>
  defineRule(`admission.flag.${id}`, {
    flags,
    sabotage: [
      replaceIn('spec.containers.*.imagePullPolicy', { ...pods, with: 'IfNotPresent' }),
      replaceIn('spec.storageClassName', { method: 'POST', path: /\/persistentvolumeclaims$/, with: 'another' }),
      replaceIn('spec.ingressClassName', { method: 'POST', path: /\/ingresses$/, with: 'another' }),
      answerStatus(201, { method: 'POST', path: /\/priorityclasses$/, instead: 403 }),
      answerStatus(200, { method: 'PATCH', path: /\/nodes\//, instead: 403 }),
      answerStatus(200, { method: 'PATCH', path: /\/pods\/[^/]+\/status$/, body: /labels/, instead: 403 }),
      answerStatus(201, { method: 'POST', path: /\/token$/, instead: 403 }),
    ],
    async check(context) {
      const spec = await pullsAlways(context);
      // Those that are on by default stay on.
      context.expect(spec.serviceAccountName, 'ServiceAccount').toBe('default');
      await givesDefaultClasses(context);
      await restrictsNodes(context);
      await restrictsPodsOfNodes(context);
    },
  });

export default [
  pulls('enable-plugins', ['--enable-admission-plugins=AlwaysPullImages,NodeRestriction']),

  // In what order they are named makes no difference.
  defineRule('admission.flag.order', {
    needs: ['flags'],
    sabotage: replaceIn('spec.containers.*.imagePullPolicy', { ...pods, with: 'IfNotPresent' }),
    async check({ start, expect }) {
      const names = ['ServiceAccount', 'AlwaysPullImages', 'NamespaceLifecycle'];
      for (const order of [names, names.toReversed()]) {
        const started = await start([`--enable-admission-plugins=${order.join(',')}`]);
        await preparePods(started);
        const answered = await started.pods.post(started.pods.sample({ spec: { serviceAccountName: undefined } }));
        expect(answered.status, `${order.join(', ')}: ${said(answered)}`).toBe(201);
        expect(answered.body.spec.containers[0].imagePullPolicy, order.join(', ')).toBe('Always');
        expect(answered.body.spec.serviceAccountName, order.join(', ')).toBe('default');
      }
    },
  }),
];
