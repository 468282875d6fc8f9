# The image, with this checkout and the tools that its tests need beside it
ARG IMAGE
# hadolint ignore=DL3006
FROM ${IMAGE}
USER 0
COPY tools /opt/tools
COPY checkout /checkout
# programs that tests look for beside Python
RUN echo /opt/tools > /opt/handrail/lib/python3.11/site-packages/tools.pth \
 && find /opt/tools/bin -type f -exec grep --quiet --binary-files=without-match '^#!.*python' {} ';' \
      -exec sed --in-place '1s|^#!.*|#!/opt/handrail/bin/python3|' {} ';' \
 && cp --no-clobber /opt/tools/bin/* /opt/handrail/bin/
# the root is read-only
ENV HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis
HEALTHCHECK NONE
USER 10001:10001
WORKDIR /checkout
ENTRYPOINT ["tini", "--"]
CMD ["python3", "-m", "pytest"]
