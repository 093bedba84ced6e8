import { describe, expect, it } from 'vitest';
import { runtimeConfig } from './runtime-config.ts';

describe('which resources are served', () => {
  const cases: [settings: string[], group: string, version: string, resource: string, served: boolean][] = [
    [[], 'batch', 'v1', 'jobs', true],
    [['batch/v1=false'], 'batch', 'v1', 'jobs', false],
    [['batch/v1=false'], 'apps', 'v1', 'deployments', true],
    [['batch/v1=false', 'batch/v1/jobs'], 'batch', 'v1', 'jobs', true],
    [['storage.k8s.io/v1beta1/csistoragecapacities=false'], 'storage.k8s.io', 'v1beta1', 'csistoragecapacities', false],
    [['api/beta=false'], 'storage.k8s.io', 'v1beta1', 'csistoragecapacities', false],
    [['api/beta=false'], 'storage.k8s.io', 'v1', 'storageclasses', true],
    [['api/all=false', 'api/ga=true'], 'apps', 'v1', 'deployments', true],
    [['api/all=false', 'api/v1=true'], '', 'v1', 'pods', true],
    [['api/all=false', 'v1'], 'apps', 'v1', 'deployments', false],
  ];
  it.each(cases)('%j: %s/%s %s is served: %s', (settings, group, version, resource, served) => {
    expect(runtimeConfig(settings)(group, version, resource)).toBe(served);
  });

  it('refuses a group that does not exist', () => {
    expect(() => runtimeConfig(['batchs/v1=true'])).toThrow('there is no API group "batchs" (did you mean batch?)');
    expect(() => runtimeConfig(['internal.apiserver.k8s.io/v1alpha1=true'])).not.toThrow();
    expect(() => runtimeConfig(['batch/v9=true'])).not.toThrow();
  });

  it.each(['', '=true', 'batch/v1=maybe', 'a/b/c/d', 'batch v1'])('refuses %j', (setting) => {
    expect(() => runtimeConfig([setting])).toThrow('--runtime-config');
  });
});
