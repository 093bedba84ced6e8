type X509 = typeof import('@peculiar/x509');

let loaded: Promise<X509> | undefined;

/** The certificate library, loaded when the first certificate is at hand: it is large, and most processes see none. */
export function x509(): Promise<X509> {
  loaded ??= import('reflect-metadata').then(() => import('@peculiar/x509'));
  return loaded;
}
