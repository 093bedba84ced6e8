import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Authority } from '../certificates/authority.ts';

/** @throws Error when one cannot be read, or the key is that of another certificate */
function readAuthority(certificateFile: string, keyFile: string): Authority {
  const [certificate, key] = [readFileSync(certificateFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
    throw new Error(`the key in ${keyFile} is not that of the certificate in ${certificateFile}`);
  return { certificate, key };
}

/**
 * The authority of two files, as they are whenever it is asked for: it may be renewed. What will not do is passed over,
 * since one of the two may be on its way yet.
 * @throws Error when they will not do at first
 */
export function authorityOfFiles(certificateFile: string, keyFile: string): () => Authority {
  let good = readAuthority(certificateFile, keyFile);
  return () => {
    try {
      good = readAuthority(certificateFile, keyFile);
    } catch {
      // The last good one goes on.
    }
    return good;
  };
}
