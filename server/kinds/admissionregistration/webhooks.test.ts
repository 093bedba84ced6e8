import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations } from '../write-tables.fixture.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { validatingWebhookConfiguration } from './validating-webhook-configuration.ts';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const webhook = (fields: object = {}) => ({
  name: 'a.example.com',
  clientConfig: { url: 'https://hooks.example.com/a' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...fields,
});
const hook = (fields: object = {}) => ({ webhooks: [webhook(fields)] });
const client = (clientConfig: object) => hook({ clientConfig });
const service = (fields: object) => client({ service: { name: 's', namespace: 'n', ...fields } });
const rules = (fields: object) => hook({ rules: [{ ...rule, ...fields }] });
const at = (field: string, reason: string) => [`webhooks[0].${field} ${reason}`];
const url = (text: string, reason: string) =>
  [text, client({ url: text }), at('clientConfig.url', reason)] as [string, object, string[]];

describe('a webhook configuration', () => {
  creations(validatingWebhookConfiguration, [
    ['nothing', {}, []],
    ['what it needs', hook(), []],
    ['no rules', hook({ rules: undefined }), []],
    ['no name', hook({ name: undefined }), at('name', 'Required')],
    ['a name of two parts', hook({ name: 'two.parts' }), at('name', 'Invalid')],
    ['a name in capitals', hook({ name: 'A.example.com' }), at('name', 'Invalid')],
    ['a name twice', { webhooks: [webhook(), webhook()] }, ['webhooks[1].name Duplicate']],
    ['no versions', hook({ admissionReviewVersions: [] }), at('admissionReviewVersions', 'Required')],
    ['unknown versions', hook({ admissionReviewVersions: ['v2'] }), at('admissionReviewVersions', 'Invalid')],
    ['a version twice', hook({ admissionReviewVersions: ['v1', 'v1'] }), at('admissionReviewVersions[1]', 'Invalid')],
    [
      'a version that is none',
      hook({ admissionReviewVersions: ['1-x!'] }),
      [...at('admissionReviewVersions[0]', 'Invalid'), ...at('admissionReviewVersions', 'Invalid')],
    ],
    ['side effects unsaid', hook({ sideEffects: undefined }), at('sideEffects', 'Required')],
    ['some side effects', hook({ sideEffects: 'Some' }), at('sideEffects', 'NotSupported')],
    ['no time', hook({ timeoutSeconds: 0 }), at('timeoutSeconds', 'Invalid')],
    ['half a minute', hook({ timeoutSeconds: 30 }), []],
    ['more than that', hook({ timeoutSeconds: 31 }), at('timeoutSeconds', 'Invalid')],
    ['an empty policy', hook({ failurePolicy: '' }), at('failurePolicy', 'NotSupported')],
    ['an unknown match', hook({ matchPolicy: 'Loose' }), at('matchPolicy', 'NotSupported')],
    [
      'a bad operator',
      hook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
      at('namespaceSelector.matchExpressions[0].operator', 'Invalid'),
    ],
    [
      'a bad label',
      hook({ objectSelector: { matchLabels: { a: 'no label!' } } }),
      at('objectSelector.matchLabels', 'Invalid'),
    ],
    [
      'several faults, in their order',
      hook({ failurePolicy: 'x', sideEffects: 'x', timeoutSeconds: 99, admissionReviewVersions: [] }),
      [
        'failurePolicy NotSupported',
        'sideEffects NotSupported',
        'timeoutSeconds Invalid',
        'admissionReviewVersions Required',
      ].map((text) => `webhooks[0].${text}`),
    ],
  ]);

  describe('is called', () => {
    creations(validatingWebhookConfiguration, [
      ['nowhere', client({}), at('clientConfig', 'Required')],
      ['at two places', client({ url: 'https://a.example.com', service: {} }), at('clientConfig', 'Required')],
      url('http://a.example.com', 'Invalid'),
      url('https://user:pw@a.example.com', 'Invalid'),
      url('https://a.example.com/x?y=z', 'Invalid'),
      url('https://a.example.com/x#y', 'Invalid'),
      url('https:///path', 'Invalid'),
      url('://', 'Required'),
      url('https://a b.example.com', 'Required'),
      url('https://a.example.com/%zz', 'Required'),
      url('https://a.example.com:port/', 'Required'),
      [
        'at an empty URL',
        client({ url: '' }),
        [...at('clientConfig.url', 'Invalid'), ...at('clientConfig.url', 'Invalid')],
      ],
      ['by IPv6', client({ url: 'https://[::1]:8443/a' }), []],
      ['by a service', service({}), []],
      ['by a service without name', service({ name: undefined }), at('clientConfig.service.namespace', 'Required')],
      [
        'by a service without namespace',
        service({ namespace: undefined }),
        at('clientConfig.service.name', 'Required'),
      ],
      ['by port 0', service({ port: 0 }), at('clientConfig.service.port', 'Invalid')],
      ['by port 65536', service({ port: 65536 }), at('clientConfig.service.port', 'Invalid')],
      [
        'by a path without slash',
        service({ path: 'x' }),
        [...at('clientConfig.service.path', 'Invalid'), ...at('clientConfig.service.path', 'Invalid')],
      ],
      ['by a path with a hole', service({ path: '/a//b' }), at('clientConfig.service.path', 'Invalid')],
      ['by a path that ends in a slash', service({ path: '/a/' }), []],
    ]);
  });

  describe('has rules', () => {
    creations(validatingWebhookConfiguration, [
      ['without operations', rules({ operations: [] }), at('rules[0].operations', 'Required')],
      ['with an unknown operation', rules({ operations: ['create'] }), at('rules[0].operations[0]', 'NotSupported')],
      ['with all operations and one', rules({ operations: ['*', 'CREATE'] }), at('rules[0].operations', 'Invalid')],
      ['with an operation twice', rules({ operations: ['CREATE', 'CREATE'] }), []],
      ['without groups', rules({ apiGroups: [] }), at('rules[0].apiGroups', 'Required')],
      ['with all groups and one', rules({ apiGroups: ['*', 'apps'] }), at('rules[0].apiGroups', 'Invalid')],
      ['without versions', rules({ apiVersions: [] }), at('rules[0].apiVersions', 'Required')],
      ['with an empty version', rules({ apiVersions: [''] }), at('rules[0].apiVersions[0]', 'Required')],
      ['without resources', rules({ resources: undefined }), at('rules[0].resources', 'Required')],
      ['with an empty resource', rules({ resources: [''] }), at('rules[0].resources[0]', 'Required')],
      ['with everything and more', rules({ resources: ['*/*', 'pods'] }), at('rules[0].resources', 'Invalid')],
      ['with all resources and one', rules({ resources: ['*', 'pods'] }), at('rules[0].resources', 'Invalid')],
      [
        'with all subresources and one',
        rules({ resources: ['pods/*', 'pods/log'] }),
        at('rules[0].resources[1]', 'Invalid'),
      ],
      [
        'with a subresource of all and of one',
        rules({ resources: ['*/status', 'pods/status'] }),
        at('rules[0].resources[1]', 'Invalid'),
      ],
      [
        'with all subresources twice',
        rules({ resources: ['pods/*', 'pods/*', '*/a', 'x/a/b'] }),
        at('rules[0].resources[1]', 'Invalid'),
      ],
      [
        'with all subresources of one beside those of all, and one of them',
        rules({ resources: ['*/*', 'pods/*', 'pods/log'] }),
        ['[1]', '[2]', ''].flatMap((position) => at(`rules[0].resources${position}`, 'Invalid')),
      ],
      ['with one resource and then all', rules({ resources: ['pods', '*'] }), []],
      ['with all resources and a subresource of all', rules({ resources: ['*', '*/status'] }), []],
      ['with odd resources', rules({ resources: ['pods/a/b', 'pods/'] }), []],
      ['with an empty scope', rules({ scope: '' }), at('rules[0].scope', 'NotSupported')],
    ]);
  });

  test('gets its defaults', async () => {
    const { object } = await tryCreate(
      validatingWebhookConfiguration,
      sample(validatingWebhookConfiguration, service({})),
    );
    expect(object.webhooks).toMatchObject([
      {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        clientConfig: { service: { port: 443 } },
        rules: [{ scope: '*' }],
      },
    ]);
    expect(object.webhooks).not.toMatchObject([{ reinvocationPolicy: 'Never' }]);
  });
});

describe('a mutating configuration', () => {
  creations(mutatingWebhookConfiguration, [
    ['an unknown reinvocation', hook({ reinvocationPolicy: 'Always' }), at('reinvocationPolicy', 'NotSupported')],
  ]);

  test('is not called again by default, and is of a new generation only by its webhooks', async () => {
    const { object } = await tryCreate(mutatingWebhookConfiguration, sample(mutatingWebhookConfiguration, hook()));
    expect(object.webhooks).toMatchObject([{ reinvocationPolicy: 'Never' }]);
    const labelled = { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } };
    expect(mutatingWebhookConfiguration.generationRises?.(labelled, object)).toBe(false);
  });
});
