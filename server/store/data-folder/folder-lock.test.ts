import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { lockFolder } from './folder-lock.ts';

const newFolder = temporaryFolders();

describe.skipIf(process.platform !== 'linux')('a folder of containers, which have networks of their own', () => {
  const socketIn = (folder: string) => join(folder, 'lock.sock');

  it('is refused to all but one of them', async () => {
    const folder = newFolder();
    const elsewhere = createServer().listen(socketIn(folder));
    await once(elsewhere, 'listening');
    await expect(lockFolder(folder)).rejects.toThrow(`${folder} is in use by another server`);
    elsewhere.close();
    const unlock = await lockFolder(folder);
    expect(statSync(socketIn(folder)).mode & 0o777).toBe(0o600);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over from one that was killed', async () => {
    const folder = newFolder();
    const ending = '() => process.kill(process.pid, 9)';
    const code = `require('node:net').createServer().listen(${JSON.stringify(socketIn(folder))}, ${ending})`;
    spawnSync(process.execPath, ['-e', code]);
    expect(existsSync(socketIn(folder))).toBe(true);
    const unlock = await lockFolder(folder);
    const client = connect(socketIn(folder));
    await once(client, 'connect');
    client.destroy();
    unlock();
  });

  it('keeps what else has the name of the lock', async () => {
    const folder = newFolder();
    writeFileSync(socketIn(folder), 'precious');
    (await lockFolder(folder))();
    expect(readdirSync(folder)).toEqual(['lock.sock']);
  });
});
