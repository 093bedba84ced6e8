import { servePods } from '../../checks/pods/service-pods.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';

const lists = { method: 'GET', path: /\/endpointslices$/ };

/** What a condition of a ready pod's endpoint is before and while the pod is terminating. */
export const terminatingPodRule = (id: string, condition: string, before: boolean, after: boolean): Rule =>
  defineRule(id, {
    needs: ['endpointslice-controller'],
    sabotage: [...new Set([!before, !after])].map((value) =>
      replaceIn(`items.*.endpoints.*.conditions.${condition}`, { ...lists, with: value }),
    ),
    async check(context) {
      const { pods, until } = await servePods(context, [8080]);
      const [pod] = pods;
      await until(`${condition} is ${before}`, pod, ({ conditions }) => conditions[condition] === before);
      await context.pods.delete(pod.metadata.name);
      const terminating = await until(
        'the endpoint is terminating',
        pod,
        ({ conditions }) => conditions.terminating || conditions[condition] !== before,
      );
      context.expect(terminating.conditions[condition], `${condition} while terminating`).toBe(after);
    },
  });
