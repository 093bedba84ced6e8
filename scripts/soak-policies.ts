import {
  type AdmissionRequest,
  allow,
  configurations,
  deny,
  type KubernetesObject,
  type Policy,
  patch,
  selfSigned,
  serve,
} from '../webhooks/index.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const rules = [
  { operations: ['CREATE', 'UPDATE'] as const, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
];
const dataOf = ({ object }: AdmissionRequest): Readonly<Record<string, string>> | undefined =>
  (object as ConfigMap | null)?.data;

/** Characters of a text that are too many for the one who refuses. */
const tooMany = 1900;

/** One that changes each object, one that refuses some, and one that always fails, which nobody minds. */
const policies: readonly Policy[] = [
  {
    name: 'measured',
    type: 'mutating',
    about: 'objects say how long their text is',
    failurePolicy: 'Fail',
    rules,
    decide(request) {
      const data = dataOf(request);
      const length = String(data?.['text']?.length ?? 0);
      return data ? patch([{ op: 'add', path: '/data/length', value: length }]) : allow();
    },
  },
  {
    name: 'short',
    type: 'validating',
    about: `texts have no more than ${tooMany} characters`,
    failurePolicy: 'Fail',
    rules,
    decide: (request) => ((dataOf(request)?.['text']?.length ?? 0) > tooMany ? deny('too long') : allow()),
  },
  {
    name: 'broken',
    type: 'validating',
    about: 'never answers well',
    failurePolicy: 'Ignore',
    rules,
    decide() {
      throw new Error('it is broken');
    },
  },
];

/** Serves policies that take part in each write of a ConfigMap. @param write makes an object on the server */
export async function servePolicies(
  write: (path: string, object: object) => Promise<{ readonly status: number; readonly text: string }>,
) {
  const keyPair = await selfSigned(['127.0.0.1']);
  const served = await serve({ policies, address: '127.0.0.1', port: 0, keyPair, report: () => {} });
  const reach = { at: `https://127.0.0.1:${served.port}`, authority: keyPair.cert };
  for (const each of configurations(policies, reach)) {
    const path = `/apis/admissionregistration.k8s.io/v1/${each.kind.toLowerCase()}s`;
    const { status, text } = await write(path, each);
    if (status !== 201) throw new Error(`the policies could not be installed: ${text}`);
  }
  return served;
}

/** Whether an object went past all who were to see it. */
export const wasSeen = ({ data }: ConfigMap): boolean =>
  data?.['length'] === String(data?.['text']?.length ?? 0) && Number(data?.['length']) <= tooMany;
