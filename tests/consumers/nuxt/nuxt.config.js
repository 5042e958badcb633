export default { telemetry: false, vue: { compilerOptions: { isCustomElement: tag => tag === 'rigcast-viewer' } } };
