import { validityRule } from '../field-rules.ts';

const spec = (signerName: string) => ({ spec: { signerName } });

export default [
  validityRule({
    id: 'csr.use.custom-signer',
    kind: 'signingRequests',
    accepted: {
      'a custom signer': spec('example.com/my-signer'),
      'client certificates of the API server': spec('kubernetes.io/kube-apiserver-client'),
    },
  }),
];
