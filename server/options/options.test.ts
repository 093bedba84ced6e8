import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { optionOf, parseFlags } from './command-line.ts';
import { serverFlags } from './flags.ts';
import { problemsOf, type ServerOptions, withDefaults } from './options.ts';

const folder = temporaryFolder();

describe('the flags of the server', () => {
  it('have names in kebab case, each once, and a sentence of help', () => {
    const names = serverFlags.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, help } of serverFlags) {
      expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(help).toMatch(/\S/);
    }
  });

  it('give every option that has a default its value', () => {
    const defaults = withDefaults({}) as unknown as Record<string, unknown>;
    for (const { name, default: fallback, type } of serverFlags) {
      if (name === 'cert-dir') continue;
      const value = defaults[optionOf(name)];
      if (fallback !== '' || type !== 'string') expect(value, name).toBeDefined();
      if (type === 'strings') expect(value, name).toBeInstanceOf(Array);
    }
  });

  it('cover the options that a server cannot do without', () => {
    // The compiler holds this list against the interface: every field that is not optional must be here, but the
    // clock, of which a server makes one of its own.
    type Demanded = {
      [K in Exclude<keyof ServerOptions, 'clock'> as undefined extends ServerOptions[K] ? never : K]: true;
    };
    const demanded: Demanded = {
      allowPrivileged: true,
      anonymousAuth: true,
      apiAudiences: true,
      auditLogMaxage: true,
      auditLogMaxbackup: true,
      auditLogMaxsize: true,
      authenticationTokenWebhookCacheTtl: true,
      authenticationTokenWebhookVersion: true,
      authorizationMode: true,
      authorizationWebhookCacheAuthorizedTtl: true,
      authorizationWebhookCacheUnauthorizedTtl: true,
      authorizationWebhookVersion: true,
      bindAddress: true,
      clusterSigningDuration: true,
      controllers: true,
      dataSync: true,
      defaultNotReadyTolerationSeconds: true,
      defaultUnreachableTolerationSeconds: true,
      disableAdmissionPlugins: true,
      enableAdmissionPlugins: true,
      enableBootstrapTokenAuth: true,
      etcdCompactionInterval: true,
      etcdHealthcheckTimeout: true,
      etcdReadycheckTimeout: true,
      enablePriorityAndFairness: true,
      etcdPrefix: true,
      etcdServers: true,
      eventTtl: true,
      faults: true,
      featureGates: true,
      ingressAddress: true,
      ingressHttpPort: true,
      ingressHttpsPort: true,
      kubeletPreferredAddressTypes: true,
      goawayChance: true,
      image: true,
      livezGracePeriod: true,
      maxMutatingRequestsInflight: true,
      maxRequestsInflight: true,
      maxObjects: true,
      nodeHostPaths: true,
      nodeNames: true,
      nodeRuntime: true,
      oidcRequiredClaim: true,
      oidcSigningAlgs: true,
      oidcUsernameClaim: true,
      requestheaderAllowedNames: true,
      requestheaderExtraHeadersPrefix: true,
      requestheaderGroupHeaders: true,
      requestheaderUsernameHeaders: true,
      runtimeConfig: true,
      securePort: true,
      serviceAccountExtendTokenExpiration: true,
      serviceAccountIssuer: true,
      serviceAccountKeyFile: true,
      serviceAccountLookup: true,
      serviceAccountMaxTokenExpiration: true,
      serviceClusterIpRange: true,
      serviceNodePortRange: true,
      shutdownDelayDuration: true,
      storageMediaType: true,
      tlsMinVersion: true,
      tlsSniCertKey: true,
      ui: true,
      v: true,
      watchCacheSizes: true,
    };
    const defaults = withDefaults({});
    for (const name of Object.keys(demanded)) expect(defaults).toHaveProperty(name);
  });

  it('leave nothing on disk and take any port, unless they are told otherwise', () => {
    expect(withDefaults({})).toMatchObject({ securePort: 0, ingressHttpPort: 0, ingressHttpsPort: 0 });
    expect(withDefaults({}).certDir).toBeUndefined();
    expect(withDefaults({ securePort: 7 }).securePort).toBe(7);
  });

  it('count where an option is undefined, as from a program that says nothing for it', () => {
    const silent: object = { controllers: undefined, allowPrivileged: undefined, securePort: undefined };
    expect(withDefaults(silent)).toMatchObject({ controllers: [], allowPrivileged: true, securePort: 0 });
  });
});

describe('options that make no sense', () => {
  it('are none by default', () => {
    expect(problemsOf(withDefaults({}))).toEqual([]);
  });

  const file = join(folder, 'file');
  writeFileSync(file, '');
  it.each<[string, Partial<ServerOptions>, RegExp]>([
    ['a port beyond the last', { securePort: 65_536 }, /--secure-port/],
    ['a port before the first', { securePort: -1 }, /--secure-port/],
    ['a certificate without its key', { tlsCertFile: file }, /need each other/],
    ['a file that is not there', { tokenAuthFile: join(folder, 'missing') }, /--token-auth-file: .*missing/],
    [
      'a folder where a file is meant',
      { clientCaFile: folder },
      /^--client-ca-file: \S+ cannot be read \(it is a folder\)$/,
    ],
    [
      'a folder among files',
      { serviceAccountKeyFile: [file, folder] },
      /^--service-account-key-file: .* \(it is a folder\)$/,
    ],
    [
      'a folder with authorities of agents',
      { kubeletCertificateAuthority: folder },
      /^--kubelet-certificate-authority: .* \(it is a folder\)$/,
    ],
    ['a folder with authorities of etcd', { etcdCafile: folder }, /^--etcd-cafile: .* \(it is a folder\)$/],
    ['a folder to begin with', { snapshot: folder }, /^--snapshot: .* \(it is a folder\)$/],
    [
      'a text that stands for a list',
      { controllers: '*' } as unknown as Partial<ServerOptions>,
      /^controllers is a list, not "\*"$/,
    ],
    [
      'a text that stands for a truth',
      { faults: 'no' } as unknown as Partial<ServerOptions>,
      /^faults is true or false, not "no"$/,
    ],
    [
      'a text that stands for milliseconds',
      { clusterSigningDuration: '1h' } as unknown as Partial<ServerOptions>,
      /^clusterSigningDuration is a number, not "1h"$/,
    ],
    ['a port that is no number', { securePort: Number.NaN }, /^securePort is a number, not NaN$/],
    ['a folder that is null', { dataDir: null } as unknown as Partial<ServerOptions>, /^dataDir is a text, not null$/],
    [
      'an option that there is not',
      { datadir: folder } as Partial<ServerOptions>,
      /^there is no option "datadir" \(did you mean dataDir\?\)$/,
    ],
    ['a size of nothing', { watchCacheSizes: ['pods'] }, /--watch-cache-sizes/],
    ['a time before now', { shutdownDelayDuration: -1 }, /--shutdown-delay-duration must not be negative/],
    ['a gate that is neither open nor closed', { featureGates: ['Gate=ajar'] }, /--feature-gates/],
    [
      'a gate that does not exist',
      { featureGates: ['JobPodFailurePolice=true'] },
      /there is no feature gate "JobPodFailurePolice" \(did you mean JobPodFailurePolicy\?\)/,
    ],
    [
      'a group that does not exist',
      { runtimeConfig: ['batchs/v1=true'] },
      /there is no API group "batchs" \(did you mean batch\?\)/,
    ],
    ['a version that is neither on nor off', { runtimeConfig: ['batch/v1=perhaps'] }, /--runtime-config/],
    ['a range that is none', { serviceClusterIpRange: 'everything' }, /not a range/],
    ['ports from high to low', { serviceNodePortRange: '9-1' }, /not a range of ports/],
    ['a node of a bad name', { nodeNames: ['one', 'Not_Two'] }, /--node-names: "Not_Two" must be a lower-case DNS/],
    ['an unknown way to authorize', { authorizationMode: ['Luck'] }, /--authorization-mode/],
    ['shared secrets for id tokens', { oidcSigningAlgs: ['HS256'] }, /--oidc-signing-algs/],
    ['unsigned id tokens', { oidcSigningAlgs: ['none'] }, /--oidc-signing-algs/],
  ])('%s', (_, options, problem) => {
    expect(problemsOf(withDefaults(options)).join('\n')).toMatch(problem);
  });

  it.each(serverFlags.filter(({ oneOf }) => oneOf))('are another value of --$name than it takes', (flag) => {
    const [right = ''] = flag.oneOf ?? [];
    const wrong = `${right}x`;
    const line = `not "${wrong}" (did you mean ${right}?)`;
    expect(() => parseFlags([flag], [`--${flag.name}=${wrong}`])).toThrow(line);
    const given = flag.type === 'strings' ? [wrong] : wrong;
    expect(problemsOf(withDefaults({ [optionOf(flag.name)]: given })).join('\n')).toContain(line);
  });
});
