export {
  type AdmissionRequest,
  allow,
  type Decision,
  deny,
  type KubernetesObject,
  type PatchOperation,
  patch,
} from './admission-review.ts';
export { type CertificateFiles, CertificateReload, readKeyPair } from './certificate-files.ts';
export { configurations, install, type Reach, type WebhookConfiguration } from './install.ts';
export { policies } from './policies/index.ts';
export type { Policy, PolicyRule } from './policy.ts';
export { selfSigned } from './self-signed.ts';
export { type KeyPair, type ServeOptions, serve, type WebhookServer } from './serve.ts';
