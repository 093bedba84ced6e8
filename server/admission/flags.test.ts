import { describe, expect, it } from 'vitest';
import { admissionFlags, checkAdmissionOptions } from './flags.ts';
import { defaultPlugins, orderedPlugins } from './index.ts';
import { defaultAdmissionOptions } from './plugins/plugins.fixture.ts';

const problems = (enable: string[], disable: string[] = []) =>
  checkAdmissionOptions({
    ...defaultAdmissionOptions,
    enableAdmissionPlugins: enable,
    disableAdmissionPlugins: disable,
  });

describe('names of plugins', () => {
  it.each([
    ['nothing', [], [], []],
    ['a plugin that is off', ['AlwaysPullImages'], [], []],
    ['one that is on already', ['LimitRanger'], [], []],
    ['one to switch off', [], ['PodSecurity'], []],
    ['one with nothing to do here', ['AlwaysAdmit', 'PersistentVolumeLabel'], [], []],
    ['a name that nobody knows', ['Limits'], [], ['--enable-admission-plugins: there is no plugin "Limits"']],
    [
      'a name that is nearly one',
      ['limitranger'],
      [],
      ['--enable-admission-plugins: there is no plugin "limitranger" (did you mean LimitRanger?)'],
    ],
    ['an empty name', [], [''], ['--disable-admission-plugins: there is no plugin ""']],
    [
      'one that this server lacks',
      ['ImagePolicyWebhook'],
      [],
      ['--enable-admission-plugins: plugin "ImagePolicyWebhook" is not part of this server'],
    ],
    ['one both on and off', ['Priority'], ['Priority'], ['plugin "Priority" is both enabled and disabled']],
  ])('%s', (_, enable, disable, expected) => {
    expect(problems(enable, disable)).toEqual(expected);
  });
});

describe('the list', () => {
  it('has each plugin once, webhooks behind what changes objects, and the quota at the end of what counts', () => {
    const names = orderedPlugins.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const webhooks = names.indexOf('MutatingAdmissionWebhook');
    expect(names[webhooks + 1]).toBe('ValidatingAdmissionWebhook');
    expect(names[webhooks + 2]).toBe('ResourceQuota');
    expect(names.indexOf('NamespaceLifecycle')).toBeLessThan(names.indexOf('LimitRanger'));
    expect(names.indexOf('DefaultIngressClass')).toBeLessThan(webhooks);
  });

  it('runs these by default', () => {
    expect([...defaultPlugins].sort()).toEqual([
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'DefaultStorageClass',
      'DefaultTolerationSeconds',
      'LimitRanger',
      'MutatingAdmissionWebhook',
      'NamespaceLifecycle',
      'PersistentVolumeClaimResize',
      'PodSecurity',
      'Priority',
      'ResourceQuota',
      'RuntimeClass',
      'ServiceAccount',
      'StorageObjectInUseProtection',
      'TaintNodesByCondition',
      'ValidatingAdmissionWebhook',
    ]);
  });

  it('stands in the help of the flag', () => {
    const { help } = admissionFlags.find(({ name }) => name === 'enable-admission-plugins') ?? { help: '' };
    for (const { name } of orderedPlugins) expect(help).toContain(name);
  });
});
