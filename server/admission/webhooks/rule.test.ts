import { describe, expect, it } from 'vitest';
import type { WebhookRule } from '../../kinds/admissionregistration/webhook-shape.ts';
import { isAbout } from '../concern.ts';
import { compileRule, concernsOf, type RuleSubject } from './rule.ts';

const everything: WebhookRule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };

/** `CREATE apps/v1 deployments/scale in ns`. */
function subject(text: string): RuleSubject {
  const [operation = '', version = '', path = '', , namespace = ''] = text.split(' ');
  const [group, number] = version.includes('/') ? version.split('/') : ['', version];
  const [resource = '', subresource = ''] = path.split('/');
  return {
    operation: operation as RuleSubject['operation'],
    resource: { group: group ?? '', version: number ?? '', resource },
    subresource,
    namespace,
  };
}

const pod = 'CREATE v1 pods in ns';
const status = 'UPDATE v1 pods/status in ns';
const scale = 'UPDATE apps/v1 deployments/scale in ns';
const node = 'UPDATE v1 nodes';
const namespaceItself = 'UPDATE v1 namespaces in ns';

describe('a rule', () => {
  it.each<[string, WebhookRule, string[], string[]]>([
    [
      'of every operation',
      { operations: ['*'] },
      [pod, status, 'CONNECT v1 pods/exec in ns', 'DELETE v1 pods in ns'],
      [],
    ],
    ['of some operations', { operations: ['CREATE', 'DELETE'] }, [pod, 'DELETE v1 pods in ns'], [status]],
    ['of the core group', { apiGroups: [''] }, [pod], [scale]],
    ['of a named group', { apiGroups: ['apps'] }, [scale], [pod]],
    ['of a version', { apiVersions: ['v1beta1', 'v2'] }, ['CREATE a/v2 things in ns'], ['CREATE a/v1 things in ns']],
    ['of all resources', { resources: ['*'] }, [pod, node], [status, scale]],
    ['of all resources and what is below', { resources: ['*/*'] }, [pod, status, scale], []],
    ['of one resource', { resources: ['pods'] }, [pod], [status, node]],
    ['of one resource and all below', { resources: ['pods/*'] }, [pod, status], [scale]],
    ['of one subresource', { resources: ['pods/status'] }, [status], [pod]],
    ['of one subresource everywhere', { resources: ['*/scale'] }, [scale], [status, pod]],
    ['of several resources', { resources: ['nodes', '*/status'] }, [node, status], [pod]],
    ['of namespaced things', { scope: 'Namespaced' }, [pod, status], [node, namespaceItself]],
    ['of cluster-scoped things', { scope: 'Cluster' }, [node, namespaceItself], [pod, status]],
    ['of both', { scope: '*' }, [pod, node, namespaceItself], []],
    ['that names nothing', { operations: [], resources: [] }, [], [pod, node]],
  ])('%s', (_, part, fits, others) => {
    const rule = compileRule({ ...everything, ...part });
    expect(fits.map((each) => [each, rule(subject(each))])).toEqual(fits.map((each) => [each, true]));
    expect(others.map((each) => [each, rule(subject(each))])).toEqual(others.map((each) => [each, false]));
  });

  it('is not led astray by names that every object has', () => {
    const rule = compileRule({ ...everything, operations: ['constructor'], resources: ['__proto__'] });
    expect(rule(subject(pod))).toBe(false);
  });
});

describe('what a rule is about', () => {
  const about = (rule: WebhookRule, operation: 'CREATE' | 'UPDATE', path: string) => {
    const [resource = '', subresource = ''] = path.split('/');
    const [plural = '', ...group] = resource.split('.');
    const subject = { operation, group: group.join('.'), resource: plural, subresource };
    return concernsOf({ ...everything, ...rule }, false).some((concern) => isAbout(concern, subject));
  };

  it.each<[WebhookRule, 'CREATE' | 'UPDATE', string, boolean]>([
    [{}, 'CREATE', 'pods', true],
    [{}, 'UPDATE', 'deployments.apps/scale', true],
    [{ operations: ['UPDATE'] }, 'CREATE', 'pods', false],
    [{ apiGroups: ['apps'] }, 'CREATE', 'pods', false],
    [{ resources: ['pods'] }, 'UPDATE', 'pods/status', false],
    [{ resources: ['pods/*'] }, 'UPDATE', 'pods/status', true],
    [{ resources: ['pods/*'] }, 'UPDATE', 'pods', true],
    [{ resources: ['*/scale'] }, 'UPDATE', 'deployments.apps/scale', true],
    [{ resources: ['*/scale'] }, 'UPDATE', 'deployments.apps', false],
    [{}, 'CREATE', 'mutatingwebhookconfigurations.admissionregistration.k8s.io', false],
    [{}, 'UPDATE', 'validatingwebhookconfigurations.admissionregistration.k8s.io', false],
  ])('%j: %s of %s is %j', (rule, operation, path, expected) => {
    expect(about(rule, operation, path)).toBe(expected);
  });
});
