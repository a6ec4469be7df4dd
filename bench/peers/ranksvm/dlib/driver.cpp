// Trains dlib's svm_rank_trainer on a set that bench/peers/ranksvm wrote: a server that
// answers lines "load PATH ROWS COLS QUERIES" and "train C EPSILON".
#include <dlib/revision.h>
#include <dlib/svm.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

typedef dlib::matrix<double, 0, 1> sample;
typedef dlib::svm_rank_trainer<dlib::linear_kernel<sample>> trainer;

template <typename T>
static std::vector<T> read(const std::string& path, size_t n) {
    std::vector<T> v(n);
    FILE* f = fopen(path.c_str(), "rb");
    if (!f || fread(v.data(), sizeof(T), n, f) != n) throw std::runtime_error("cannot read " + path);
    fclose(f);
    return v;
}

int main() {
    std::vector<dlib::ranking_pair<sample>> queries;
    double pairs = 0;
    for (std::string line; std::getline(std::cin, line);) try {
            std::istringstream in(line);
            std::string command, path;
            in >> command;
            if (command == "about") {
                std::cout << DLIB_MAJOR_VERSION << '.' << DLIB_MINOR_VERSION << " not reported" << std::endl;
            } else if (command == "load") {
                size_t rows, cols, count;
                in >> path >> rows >> cols >> count;
                auto x = read<float>(path + ".x", rows * cols);
                auto y = read<double>(path + ".y", rows);
                auto offsets = read<int64_t>(path + ".q", count + 1);
                queries.clear();
                pairs = 0;
                for (size_t q = 0; q < count; q++) {
                    // dlib knows relevant and other documents: a pair for each grade and all below it
                    // holds every pair of different labels once.
                    std::map<double, std::vector<sample>> grades;
                    for (int64_t i = offsets[q]; i < offsets[q + 1]; i++) {
                        sample s(cols);
                        for (size_t j = 0; j < cols; j++) s(j) = x[i * cols + j];
                        grades[y[i]].push_back(s);
                    }
                    std::vector<sample> below;
                    for (auto& g : grades) {
                        if (!below.empty()) {
                            queries.push_back({g.second, below});
                            pairs += double(g.second.size()) * below.size();
                        }
                        below.insert(below.end(), g.second.begin(), g.second.end());
                    }
                }
                std::cout << pairs << std::endl;
            } else {
                double c, epsilon;
                in >> c >> epsilon;
                trainer t;
                t.set_c(c * pairs);  // its risk is the mean over the pairs
                t.set_epsilon(epsilon);
                auto start = std::chrono::steady_clock::now();
                auto f = t.train(queries);
                std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
                std::cout << took.count();
                std::cout.precision(17);
                const sample& w = f.basis_vectors(0);
                for (long j = 0; j < w.size(); j++) std::cout << ' ' << w(j);
                std::cout << std::endl;
            }
        } catch (std::exception& e) {
            std::cout << "error: " << e.what() << std::endl;
        }
}
