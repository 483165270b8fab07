import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../model/errors.ts';

interface Tensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  release(): Promise<void>;
}

/** What onnxruntime-node and onnxruntime-web have in common. */
export interface OnnxRuntime {
  InferenceSession: {
    create(model: Uint8Array | string, options?: { graphOptimizationLevel?: 'all' }): Promise<OnnxSession>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
  env: { wasm?: { numThreads?: number }; logLevel?: string };
}

/** The native one is several times faster; the other is WebAssembly and runs anywhere. */
const PACKAGES = ['onnxruntime-node', 'onnxruntime-web'];

/** The runtime is no dependency of ours: it is looked for beside the model, above it, and beside ltm. */
export async function loadRuntime(folder: string): Promise<OnnxRuntime> {
  const path = findPackage([join(folder, 'package.json'), import.meta.url]);
  if (path === null) {
    throw new EngineError(
      'embedder_failed',
      'An ONNX model needs the package onnxruntime-web or onnxruntime-node, and neither is installed.',
      {
        hint: `Run: npm install --prefix "${folder}" onnxruntime-web`,
      },
    );
  }
  const runtime: OnnxRuntime = await import(pathToFileURL(path).href);
  runtime.env.logLevel = 'error';
  // Threads of the WebAssembly build need workers that outlive a command.
  if (runtime.env.wasm !== undefined) runtime.env.wasm.numThreads = 1;
  return runtime;
}

function findPackage(from: readonly string[]): string | null {
  for (const name of PACKAGES) {
    for (const place of from) {
      try {
        return createRequire(place).resolve(name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
      }
    }
  }
  return null;
}
